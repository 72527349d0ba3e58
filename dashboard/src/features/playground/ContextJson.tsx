import { Textarea } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { useFormat } from "../../shared/i18n/use-format.ts";
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
    switch (parsed.error?.kind) {
      case "syntax":
        return t("playground.notJson");
      case "place":
        return t("playground.notJsonAt", { line: parsed.error.line, column: parsed.error.column });
      case "token":
        return t("playground.notJsonToken", { token: parsed.error.token });
      case "end":
        return t("playground.notJsonEnd");
      case "notAnObject":
        return t("playground.notAnObject");
      case "tooMany":
        return t("playground.tooManyFields", { max: parsed.error.max });
      default:
        return undefined;
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
