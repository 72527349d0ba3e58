import { Button, Group, Paper, SegmentedControl, Title } from "@mantine/core";
import { useQueryClient, type QueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import type { ContextDefinition } from "../../shared/api/types.ts";
import { contextValuesQuery } from "../../shared/data/project-lists.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { formatJson } from "../../shared/json/parse-json.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import classes from "./ContextCard.module.css";
import { ContextFields } from "./ContextFields.tsx";
import { ContextJson, parseContext } from "./ContextJson.tsx";
import { contextOf, rowsOf, type ContextRow, valueOf } from "./context-rows.ts";
import { SavedContexts } from "./SavedContexts.tsx";

interface Props {
  initial: EvaluationContext;
  definitions: readonly ContextDefinition[];
  /** Values from the rules of the flags, by context field. */
  suggestedValues: ReadonlyMap<string, readonly string[]>;
  /** Called with every changed evaluation context. Not called while the JSON text is invalid. */
  onChange: (context: EvaluationContext) => void;
}

/** Edits the evaluation context, as a form with the project's context fields or as JSON. */
export function ContextCard({ initial, definitions, suggestedValues, onChange }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const queryClient = useQueryClient();
  const [rows, setRows] = useState(() => rowsOf(initial, definitions));
  // The text of the JSON editor. Undefined while the context form is shown instead.
  const [json, setJson] = useState<string>();
  const parsed = json === undefined ? { context: contextOf(rows) } : parseContext(json);
  const { context } = parsed;

  const load = (loaded: EvaluationContext) => {
    setRows(rowsOf(loaded, definitions));
    if (json !== undefined) setJson(formatJson(loaded));
    onChange(loaded);
  };
  const show = (mode: string) => {
    // Stay in the JSON editor while its text is invalid, because the context form cannot show such
    // a text. The JSON editor displays the error.
    if (!context) return;
    setRows(rowsOf(context, definitions));
    setJson(mode === "json" ? formatJson(context) : undefined);
  };
  const loadExample = async () => {
    try {
      const current = rowsOf(context ?? {}, definitions);
      load(contextOf(await withExampleValues(queryClient, current, suggestedValues)));
    } catch (error) {
      notify.failed(error);
    }
  };

  return (
    <Paper withBorder radius="md" p="md" component="section" aria-labelledby="context-title">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h4" id="context-title">
          {t("playground.context")}
        </Title>
        <SegmentedControl
          size="xs"
          aria-label={t("playground.contextAs")}
          data={[
            { value: "form", label: t("playground.form") },
            { value: "json", label: t("playground.json") },
          ]}
          value={json === undefined ? "form" : "json"}
          onChange={show}
        />
      </Group>
      <div className={classes.actions}>
        <Button size="compact-sm" variant="default" onClick={() => void loadExample()}>
          {t("playground.example")}
        </Button>
        <SavedContexts context={context} onLoad={load} />
        <Button size="compact-sm" variant="default" onClick={() => load({})}>
          {t("common.clear")}
        </Button>
      </div>
      {json === undefined ? (
        <ContextFields
          rows={rows}
          definitions={definitions}
          suggestedValues={suggestedValues}
          onChange={(changed) => {
            setRows(changed);
            onChange(contextOf(changed));
          }}
        />
      ) : (
        <ContextJson
          text={json}
          parsed={parsed}
          onChange={(text) => {
            setJson(text);
            const typed = parseContext(text).context;
            if (typed) onChange(typed);
          }}
        />
      )}
    </Paper>
  );
}

/** Example values by context type, for context fields without known and suggested values. */
const EXAMPLES: Readonly<Record<string, string>> = {
  string: "example",
  number: "1",
  boolean: "true",
  date: "2026-01-31",
  semver: "1.0.0",
  // RFC 5737 reserves this IP address for documentation.
  ip: "192.0.2.1",
};

const EXAMPLE_ID = "user-1";

/**
 * Returns the rows with example values: the first known value of the context field, otherwise a
 * value suggested from the rules, otherwise a fixed example. A removable row without a context
 * definition keeps its value.
 */
const withExampleValues = (
  queryClient: QueryClient,
  rows: readonly ContextRow[],
  suggestedValues: ReadonlyMap<string, readonly string[]>,
): Promise<ContextRow[]> =>
  Promise.all(
    rows.map(async (row) => {
      if (!row.definition) return row.isCustom ? row : { ...row, value: row.value ?? EXAMPLE_ID };
      const { id, contextType } = row.definition;
      const known = async () =>
        (await queryClient.ensureQueryData(contextValuesQuery(id))).at(0)?.value;
      const text =
        (await known()) ??
        suggestedValues.get(row.key)?.[0] ??
        (isId(row.key) ? EXAMPLE_ID : EXAMPLES[contextType]) ??
        "";
      return { ...row, value: valueOf(text, contextType) };
    }),
  );

const isId = (key: string): boolean => /id$|key$/i.test(key);
