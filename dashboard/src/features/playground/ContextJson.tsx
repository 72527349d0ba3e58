import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import { Textarea } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type JsonSyntaxError, parseJson } from "../../shared/json/parse-json.ts";
import { syntaxErrorText } from "../../shared/json/syntax-error-text.ts";
import { isContext } from "./search-params.ts";
import classes from "./ContextCard.module.css";

interface Props {
  text: string;
  parsed: ParsedContext;
  onChange: (text: string) => void;
}

/** An editor for the evaluation context as JSON, such as `{"country": "DE"}`. */
export function ContextJson({ text, parsed, onChange }: Props) {
  const { t } = useTranslation();
  const { list } = useFormat();

  const errorText = () => {
    const { error } = parsed;
    if (!error) return undefined;
    switch (error.kind) {
      case "notAnObject":
        return t("playground.notAnObject");
      case "tooMany":
        return t("playground.tooManyFields", { max: error.max });
      default:
        return syntaxErrorText(t, error);
    }
  };
  const ignored = parsed.context ? ignoredFields(parsed.context) : [];
  const errorMessage = errorText();

  return (
    <Textarea
      className={classes.json}
      label={t("playground.contextAsJson")}
      description={
        ignored.length === 0 ? undefined : t("playground.unread", { fields: list(ignored) })
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      autosize
      minRows={10}
      maxRows={24}
      spellCheck={false}
      value={text}
      error={
        errorMessage === undefined ? undefined : `${errorMessage} ${t("playground.lastValid")}`
      }
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

/** The service rejects more keys in an evaluation context (docs/build/decisions.md, 4.6). */
const MAX_KEYS = 100;

type JsonError =
  | JsonSyntaxError
  | { readonly kind: "notAnObject" }
  | { readonly kind: "tooMany"; readonly max: number };

type ParsedContext =
  | { readonly context: EvaluationContext; readonly error?: never }
  | { readonly error: JsonError; readonly context?: never };

export function parseContext(text: string): ParsedContext {
  const { value, error } = parseJson(text.trim() === "" ? "{}" : text);
  if (error) return { error };
  if (!isContext(value)) return { error: { kind: "notAnObject" } };
  if (Object.keys(value).length > MAX_KEYS) return { error: { kind: "tooMany", max: MAX_KEYS } };
  return { context: value };
}

/** Returns the keys whose values the evaluation ignores: lists, objects and null. */
const ignoredFields = (context: EvaluationContext): string[] =>
  Object.keys(context).filter((key) => typeof context[key] === "object");
