import { Tabs, Text } from "@mantine/core";
import { IconAlertTriangle, IconPencil } from "@tabler/icons-react";
import type { KeyboardEvent, Ref } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EnvironmentNav } from "./EnvironmentNav.tsx";
import classes from "./FlagBar.module.css";
import { FlagControl, useIsSwitchInHeader } from "./FlagControl.tsx";
import type { DraftState } from "../../shared/flags/use-drafts.ts";
import { TABS } from "./search-params.ts";
import { useIsComparing, useOpenEnvironment } from "./use-open-environment.ts";

interface Props {
  flag: Flag;
  draft: DraftState;
  /** Whether the heading has scrolled away. */
  isStuck: boolean;
  /** Observes whether the heading has scrolled away. */
  above: Ref<HTMLDivElement>;
  ref: Ref<HTMLDivElement>;
}

/**
 * The environments, which stay at the top of the window, and the tabs. Shows the flag's name and its
 * switch when the heading has scrolled away. On a phone, and of a kill switch, it always has the switch.
 */
export function FlagBar({ flag, draft, isStuck, above, ref }: Props) {
  const { t } = useTranslation();
  const open = useOpenEnvironment(flag);
  const isComparing = useIsComparing(flag);
  const isInHeader = useIsSwitchInHeader(flag);
  return (
    <>
      <div ref={above} className={classes.above} />
      <div ref={ref} className={classes.bar} data-stuck={isStuck || undefined}>
        <Text fw={700} className={classes.name} aria-hidden>
          {flag.name}
        </Text>
        <div className={classes.row} data-kill={flag.flagType === "KILLSWITCH" || undefined}>
          <EnvironmentNav flag={flag} selected={isComparing ? undefined : open?.environment.id} />
          {open && !isComparing && (isStuck || !isInHeader) && (
            <FlagControl flag={flag} open={open} />
          )}
        </div>
      </div>
      <Tabs.List
        aria-label={t("flagPage.sections")}
        className={classes.tabs ?? ""}
        onKeyDownCapture={openOuterTab}
      >
        {TABS.map((name) => (
          <Tabs.Tab
            key={name}
            value={name}
            rightSection={
              name === "targeting" && draft !== "unchanged" && <DraftMark state={draft} />
            }
          >
            {t(`flagPage.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </>
  );
}

/** Mantine opens a tab that gets the focus by an arrow key, but not by Home or End. */
function openOuterTab({ key, currentTarget }: KeyboardEvent): void {
  const tabs = [...currentTarget.querySelectorAll<HTMLElement>("[role=tab]")];
  if (key === "Home") tabs.at(0)?.click();
  if (key === "End") tabs.at(-1)?.click();
}

function DraftMark({ state }: { state: Exclude<DraftState, "unchanged"> }) {
  const { t } = useTranslation();
  const Icon = state === "conflict" ? IconAlertTriangle : IconPencil;
  return (
    <span className={classes.mark} data-state={state}>
      <Icon size={14} stroke={2} aria-hidden />
      {t(`flagPage.${state}`)}
    </span>
  );
}
