import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { sum } from "../../shared/checks.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import classes from "./FlagTable.module.css";
import type { Fact } from "./columns.ts";
import { SortHeader } from "./SortHeader.tsx";
import { usageEnvironment } from "./usage-environment.ts";

/** The text of the header, and the order that a click on the header chooses. */
const HEADERS = {
  usage: { text: "flags.usage" },
  lastChange: { text: "flags.lastChanged", by: "updatedAt" },
  owners: { text: "flags.owner" },
  type: { text: "flags.type" },
  lastUsed: { text: "flags.lastUsed", by: "lastUsedAt" },
  created: { text: "flags.created", by: "createdAt" },
} as const;

export function FactHeader({ fact, width }: { fact: Fact; width: string }) {
  const { t } = useTranslation();
  const header = HEADERS[fact];
  if ("by" in header)
    return (
      <SortHeader by={header.by} first="descending" width={width}>
        {t(header.text)}
      </SortHeader>
    );
  return (
    <th scope="col" style={{ width }}>
      {t(header.text)}
    </th>
  );
}

interface Props {
  fact: Fact;
  flag: EnrichedFlag;
  /** The evaluations per day. Undefined while they load, and for a flag without evaluations. */
  usage: readonly number[] | undefined;
}

export function Fact({ fact, flag, usage }: Props) {
  const { t } = useTranslation();
  if (fact === "usage")
    return usage && <Sparkline counts={usage} environment={usageEnvironment(flag)?.name ?? ""} />;
  if (fact === "lastChange") return <LastChange flag={flag} />;
  if (fact === "owners") return flag.ownerIds.length > 0 && <OwnerNames flag={flag} />;
  if (fact === "type")
    return t(flag.flagType === "KILLSWITCH" ? "flags.killSwitch" : "flags.release");
  return <TimeAgo at={fact === "lastUsed" ? flag.lastUsedAt : flag.createdAt} />;
}

/** Who changed the flag or one of its strategies last, and when. */
function LastChange({ flag: { lastChange, updatedAt } }: Pick<Props, "flag">) {
  const { t } = useTranslation();
  const actor = lastChange?.actor;
  const who = actor?.kind === "system" ? t("flags.system") : actor?.name;
  return (
    <>
      {who !== undefined && who !== null && (
        <Text size="xs" truncate title={who}>
          {who}
        </Text>
      )}
      <TimeAgo at={lastChange?.at ?? updatedAt} />
    </>
  );
}

function OwnerNames({ flag }: { flag: EnrichedFlag }) {
  const { list } = useFormat();
  const { data = [] } = useQuery(flagOwnersQuery(flag.projectId));
  const names = data.filter(({ id }) => flag.ownerIds.includes(id)).map(({ name }) => name);
  return (
    <div className={classes.clamped} title={list(names)}>
      {list(names)}
    </div>
  );
}

/** The width of a bar with its gap, and the height of the highest bar, in units of the drawing. */
const [STEP, HEIGHT] = [7, 18];

interface SparklineProps {
  /** The evaluations per day, oldest first. */
  counts: readonly number[];
  environment: string;
}

/** The evaluations of a flag in the last days: a bar for each day, and the sum. */
function Sparkline({ counts, environment }: SparklineProps) {
  const { t } = useTranslation();
  const { compact, number } = useFormat();
  const total = sum(counts);
  const most = Math.max(...counts);
  const words = { environment, days: counts.length, count: total, total: number(total) };
  const label = t("columns.evaluations", words);
  return (
    <span className={classes.usage} title={label}>
      <svg
        role="img"
        aria-label={label}
        className={classes.bars}
        width={counts.length * STEP}
        height={HEIGHT}
      >
        {counts.map((count, day) => {
          const height = most === 0 ? 1 : Math.max(1, Math.round((count / most) * HEIGHT));
          return (
            <rect
              // oxlint-disable-next-line react/no-array-index-key -- the days never change their order
              key={day}
              x={day * STEP}
              y={HEIGHT - height}
              width={STEP - 2}
              height={height}
              rx={1}
            />
          );
        })}
      </svg>
      <span aria-hidden>{compact(total)}</span>
    </span>
  );
}
