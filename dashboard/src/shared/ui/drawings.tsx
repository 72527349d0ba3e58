import {
  IconArrowsDiff,
  IconCalendarClock,
  IconChartBar,
  IconDevices,
  IconFilterOff,
  IconFlag,
  IconForms,
  IconGitPullRequest,
  IconHistory,
  IconKey,
  IconListDetails,
  IconLock,
  IconLogin2,
  IconPlugConnected,
  IconRobot,
  IconRocket,
  IconSearchOff,
  IconSend,
  IconServer2,
  IconStar,
  IconTag,
  IconUserSearch,
  IconUsersGroup,
  type TablerIcon,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./drawings.module.css";

/**
 * The drawings of empty states. All stand on the same dotted ground, have lines in the colour of the
 * text, and one part in the accent.
 */
const drawing = (parts: ReactNode): ReactNode => (
  <svg viewBox="0 0 120 80" width="120" height="80" aria-hidden className={classes.drawing}>
    <path d="M8 74h104" strokeDasharray="0 6" />
    {parts}
  </svg>
);

const FLAGS = drawing(
  <>
    <path d="M30 74V26m0 2c8-5 15 4 24-1v18c-9 5-16-4-24 1" strokeDasharray="4 5" />
    <path d="M68 12c10-7 18 5 30-1v24c-12 6-20-6-30 1z" className={classes.accent} />
    <path d="M68 74V10" />
  </>,
);

const PEOPLE = drawing(
  <>
    <circle cx="24" cy="46" r="8" />
    <path d="M12 74c0-10 5-15 12-15s12 5 12 15" />
    <circle cx="96" cy="46" r="8" />
    <path d="M84 74c0-10 5-15 12-15s12 5 12 15" />
    <circle cx="60" cy="26" r="10" className={classes.accent} />
    <path d="M44 74c0-18 6-31 16-31s16 13 16 31z" className={classes.accent} />
    <path d="M38 66V20a10 10 0 0 1 10-10h24a10 10 0 0 1 10 10v46" strokeDasharray="4 5" />
  </>,
);

const REQUESTS = drawing(
  <>
    <path d="M22 74V28l12-12h24v16" />
    <path d="M34 16v12H22m8 14h14M30 54h10" />
    <path d="M56 74V38h36v36" strokeDasharray="4 5" />
    <circle cx="86" cy="34" r="16" className={classes.accent} />
    <path d="m79 34 5 5 9-10" className={classes.onAccent} />
  </>,
);

const DATA = drawing(
  <>
    <path d="M20 74V58h12v16m12 0V46h12v28" strokeDasharray="4 5" />
    <path d="M68 74V34h12v40z" className={classes.accent} />
    <path d="M92 74V52h12v22" strokeDasharray="4 5" />
    <path d="M18 44 44 30l16 6 34-22m-9-2 10 1-2 10" />
  </>,
);

const NOTHING_FOUND = drawing(
  <>
    <path d="M14 22h44M14 38h34M14 54h40" strokeDasharray="4 5" />
    <circle cx="74" cy="36" r="20" className={classes.accent} />
    <path d="m89 51 17 19" strokeWidth="5" />
    <path d="m67 29 14 14m0-14L67 43" className={classes.onAccent} />
  </>,
);

const KEYS = drawing(
  <>
    <path d="M22 74V20h32v54M46 48v.1" strokeDasharray="4 5" />
    <path d="m86 46 18 18m-4-4 6-6m-13-1 5-5" className={classes.accent} strokeWidth="4" />
    <circle cx="78" cy="36" r="13" className={classes.accent} />
    <circle cx="76" cy="34" r="3" className={classes.onAccent} />
  </>,
);

const LABELS = drawing(
  <>
    <path d="M14 24h30M14 40h24M14 56h32" strokeDasharray="4 5" />
    <path d="m56 40 14-16h36v32H70z" className={classes.accent} />
    <circle cx="73" cy="40" r="3" className={classes.onAccent} />
    <path d="M92 56v18" />
  </>,
);

const CONNECTION = drawing(
  <>
    <path d="M14 74V34h28v40M20 44h8m-8 10h8" />
    <path d="M42 48h18" strokeDasharray="4 5" />
    <rect x="62" y="24" width="44" height="34" rx="6" className={classes.accent} />
    <path d="M72 36h24M72 46h14" className={classes.onAccent} />
    <path d="M84 58v16" />
  </>,
);

const HISTORY = drawing(
  <>
    <path d="M14 24h34M14 40h30M14 56h34" strokeDasharray="4 5" />
    <circle cx="80" cy="40" r="21" className={classes.accent} />
    <path d="M80 28v12l9 6" className={classes.onAccent} />
  </>,
);

const EQUAL = drawing(
  <>
    <path d="M24 74V26m0 2c8-5 15 4 24-1v18c-9 5-16-4-24 1" />
    <path d="M72 28c8-5 15 4 24-1v18c-9 5-16-4-24 1z" className={classes.accent} />
    <path d="M72 74V26" />
  </>,
);

/** The drawings by the icon of the page or of the situation. Other icons show as they are. */
export const DRAWINGS: ReadonlyMap<TablerIcon, ReactNode> = new Map([
  [IconFlag, FLAGS],
  [IconUsersGroup, PEOPLE],
  [IconGitPullRequest, REQUESTS],
  [IconCalendarClock, REQUESTS],
  [IconChartBar, DATA],
  [IconSearchOff, NOTHING_FOUND],
  [IconFilterOff, NOTHING_FOUND],
  [IconUserSearch, NOTHING_FOUND],
  [IconKey, KEYS],
  [IconLogin2, KEYS],
  [IconLock, KEYS],
  [IconTag, LABELS],
  [IconForms, LABELS],
  [IconListDetails, LABELS],
  [IconPlugConnected, CONNECTION],
  [IconSend, CONNECTION],
  [IconDevices, CONNECTION],
  [IconServer2, CONNECTION],
  [IconRobot, CONNECTION],
  [IconHistory, HISTORY],
  [IconArrowsDiff, EQUAL],
  [IconRocket, FLAGS],
  [IconStar, FLAGS],
]);
