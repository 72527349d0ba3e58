import { Alert, Badge, Code, Stack, Text, Title } from "@mantine/core";
import type { FlagsFile } from "@feature-flags/file/file";
import { useMemo, useState } from "react";
import { Diff } from "../../shared/history/FieldChanges.tsx";
import type { ItemNames } from "../../shared/history/item-names.ts";
import { useRecordedWords } from "../../shared/history/RecordedItem.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { JsonValue } from "../../shared/json/JsonValue.tsx";
import { strategySentence } from "../../shared/strategy/strategy-sentence.ts";
import type { FilePlan } from "./file-requests.ts";
import {
  type ItemState,
  type PlannedItem,
  plannedItems,
  type PlannedStrategy,
} from "./planned-items.ts";
import classes from "./PlanResult.module.css";

/** The most flags and other items that the page lists. The browser is slow with thousands of them. */
const MAX_ITEMS = 200;

const COLORS: Readonly<Record<ItemState, string>> = {
  created: "green",
  changed: "blue",
  archived: "red",
};

/** Shows in sentences what an apply of a file would change. */
export function PlanResult({ plan, file }: { plan: FilePlan; file: FlagsFile }) {
  const { t } = useTranslation();
  const { changes, environments, conflicts, released, warnings } = plan;
  const { items, names } = useMemo(() => plannedItems(changes, file), [changes, file]);
  const count = (state: ItemState) => items.filter((item) => item.state === state).length;
  const remarks = [
    ...warnings.map(({ path, message }) => ({ path, message })),
    ...released.map(({ path }) => ({ path, message: t("files.released") })),
  ];
  return (
    <Stack gap="sm">
      {(items.length > 0 || conflicts.length === 0) && (
        <Text size="sm" fw={600} role="status">
          {items.length === 0
            ? t("files.nothing")
            : t("files.counts", {
                created: count("created"),
                changed: count("changed"),
                archived: count("archived"),
              })}
        </Text>
      )}
      {environments.length > 0 && <Environments environments={environments} />}
      {remarks.length > 0 && (
        <Alert color="yellow" variant="light" title={t("files.warnings")}>
          <Stack gap={4}>
            {remarks.map(({ path, message }) => (
              <div key={`${path} ${message}`}>
                <Code>{path}</Code> {message}
              </div>
            ))}
          </Stack>
        </Alert>
      )}
      {items.length > 0 && (
        <ul className={classes.items} aria-label={t("files.changesLabel")}>
          {items.slice(0, MAX_ITEMS).map((item) => (
            <Item key={`${item.kind} ${item.key}`} item={item} names={names} />
          ))}
        </ul>
      )}
      {items.length > MAX_ITEMS && (
        <Text size="sm">{t("files.moreItems", { count: items.length - MAX_ITEMS })}</Text>
      )}
    </Stack>
  );
}

function Environments({ environments }: Pick<FilePlan, "environments">) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  return (
    <ul className={classes.environments}>
      {environments.map(({ name, flags, maxMoves, checks24h }) => (
        <li key={name}>
          {[
            `${name}: ${t("files.flags", { count: flags })}`,
            // New flags move nobody.
            ...(maxMoves === null ? [t("files.unknownMoves")] : []),
            ...(maxMoves !== null && maxMoves > 0
              ? [t("files.maxMoves", { share: exactPercent(maxMoves) })]
              : []),
            ...(checks24h > 0 ? [t("files.checks", { count: checks24h })] : []),
          ].join(" · ")}
        </li>
      ))}
    </ul>
  );
}

interface ItemProps {
  item: PlannedItem;
  names: ItemNames;
}

function Item({ item, names }: ItemProps) {
  const { t } = useTranslation();
  const { kind, key, name, state, before, after, strategies, usedBy, changes } = item;
  const hasFields = Object.keys(before).length + Object.keys(after).length > 0;
  return (
    <li className={classes.item}>
      <div className={classes.head}>
        <Badge variant="light" color={COLORS[state]}>
          {t(`files.states.${state}`)}
        </Badge>
        <Title order={4} size="sm" className={classes.name}>
          {name}
        </Title>
        <Text size="xs" c="dimmed">
          {t(`files.kinds.${kind}`)}
          {name !== key && (
            <>
              {" "}
              <Text span inherit ff="monospace">
                {key}
              </Text>
            </>
          )}
        </Text>
      </div>
      {hasFields && state !== "archived" && <Diff record={{ before, after }} names={names} />}
      {usedBy && (
        <Text size="sm" c="dimmed">
          {t("files.usedBy", { flags: usedBy.join(", ") || t("common.none") })}
        </Text>
      )}
      {kind === "flag" && state === "created" && strategies.length === 0 && (
        <Text size="sm">{t("files.offEverywhere")}</Text>
      )}
      {strategies.length > 0 && (
        <dl className={classes.strategies}>
          {strategies.map((strategy) => (
            <div key={strategy.environment}>
              <dt>{strategy.environment}</dt>
              <dd>
                <Strategy strategy={strategy} names={names} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      <Details changes={changes} name={name} />
    </li>
  );
}

const NO_SEGMENTS = new Map();

/** The sentence about the strategy of a new flag, or the changed fields of another strategy. */
function Strategy({ strategy, names }: { strategy: PlannedStrategy; names: ItemNames }) {
  const { t } = useTranslation();
  const { exactPercent } = useFormat();
  const words = useRecordedWords(names);
  const { created, before, after, moves } = strategy;
  if (created) return strategySentence(words, created, NO_SEGMENTS);
  return (
    <>
      <Diff record={{ before, after }} names={names} />
      {moves !== 0 && (
        <Text size="sm" c="dimmed">
          {moves === null
            ? t("files.unknownMoves")
            : t("files.maxMoves", { share: exactPercent(moves) })}
        </Text>
      )}
    </>
  );
}

/** The changes as JSON, which is rendered only when the user opens it. */
function Details({ changes, name }: Pick<PlannedItem, "changes" | "name">) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={classes.summary} aria-label={t("history.detailsOf", { what: name })}>
        {t("history.details")}
      </summary>
      {isOpen && <JsonValue value={changes} label={t("history.detailsOf", { what: name })} />}
    </details>
  );
}
