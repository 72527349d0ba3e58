import { Textarea } from "@mantine/core";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { syntaxErrorText } from "../../shared/json/syntax-error-text.ts";
import classes from "./ContextCard.module.css";
import { type ParsedContext, ignoredFields } from "./context-json.ts";

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
