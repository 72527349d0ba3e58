import { Textarea } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { api } from "../../shared/api/client.ts";
import { send } from "../../shared/api/request.ts";
import type { ContextDefinition, ContextValue, Schemas } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { valueErrors } from "./ValueForm.tsx";

/** The maximum number of known values of a context definition. The API rejects more. */
const MAX_VALUES = 1000;

/** Shows at most this many error messages for pasted values, and counts the others. */
const MAX_ERRORS_SHOWN = 3;

interface Props {
  onClose: () => void;
  definition: ContextDefinition;
  known: readonly ContextValue[];
}

/** Adds many known values to a context definition. The user pastes one per line. */
export function PasteValues({ onClose, definition, known }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const add = useAddLines(definition.id);
  const fieldError = (text: string): string | null => {
    const values = parseLines(text);
    if (values.length === 0) return t("common.required");
    const count = merge(known, values).length;
    if (count > MAX_VALUES) return t("contexts.linesFull", { max: MAX_VALUES, count });
    const texts = values.map(({ value }) => value);
    const fieldErrors = valueErrors(t, definition, texts);
    const more = fieldErrors.slice(MAX_ERRORS_SHOWN);
    if (more.length > 0)
      fieldErrors.splice(
        MAX_ERRORS_SHOWN,
        more.length,
        t("contexts.moreErrors", { count: more.length }),
      );
    return fieldErrors.length > 0 ? fieldErrors.join(" ") : null;
  };
  const { form, pending, error, onSubmit } = useServerForm({
    form: { initialValues: { lines: "" }, validate: { lines: fieldError } },
    submit: async ({ lines }) => {
      const count = await add.mutateAsync(lines);
      done(t("contexts.added", { count }));
      onClose();
    },
  });
  const count = merge(known, parseLines(form.values.lines)).length - known.length;
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <Textarea
        label={t("contexts.lines")}
        description={t("contexts.linesHint")}
        autosize
        minRows={6}
        maxRows={16}
        spellCheck={false}
        data-autofocus
        {...form.getInputProps("lines")}
      />
      <FormActions onCancel={onClose} pending={pending} submit={t("contexts.willAdd", { count })} />
    </ServerForm>
  );
}

/**
 * A hook that returns a mutation, which adds the pasted values and resolves to the number of added
 * values. The API replaces the whole list of known values, so the request contains the current and
 * the new values. `If-Match` keeps the request from overwriting a concurrent change.
 */
function useAddLines(definitionId: number) {
  return useMutation({
    mutationFn: async (lines: string) => {
      const path = { definitionId };
      const { data: known = [], response } = await api.GET(
        "/api/v1/contexts/{definitionId}/values",
        { params: { path } },
      );
      const tag = response.headers.get("ETag");
      const values = await send("put", "/api/v1/contexts/{definitionId}/values", {
        path,
        ...(tag !== null && { header: { "If-Match": tag } }),
        body: merge(known, parseLines(lines)),
      });
      return values.length - known.length;
    },
  });
}

type NewValue = Schemas["CreateContextValue"];

/**
 * Parses one value per line, with an optional description after a tab, because spreadsheets copy
 * cells in this format. If a value occurs twice, its last description that is not empty applies.
 */
function parseLines(text: string): NewValue[] {
  const values = new Map<string, string | null>();
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [value = "", ...cells] = line.split("\t").map((cell) => cell.trim());
    const description = cells.join(" ").trim();
    if (value === "") continue;
    values.set(value, description === "" ? (values.get(value) ?? null) : description);
  }
  return [...values].map(([value, description]) => ({ value, description }));
}

/** A known value keeps its position, but a pasted description replaces its description. */
function merge(known: readonly NewValue[], lines: readonly NewValue[]): NewValue[] {
  const descriptions = new Map(lines.map(({ value, description }) => [value, description]));
  const texts = new Set(known.map(({ value }) => value));
  return [
    ...known.map(({ value, description }) => ({
      value,
      description: descriptions.get(value) ?? description,
    })),
    ...lines.filter(({ value }) => !texts.has(value)),
  ];
}
