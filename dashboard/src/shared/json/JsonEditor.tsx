import { Button, Input, Textarea } from "@mantine/core";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "../i18n/use-translation.ts";
import type { CodeEditor } from "./code-editor.ts";
import type { JsonProblem } from "./json-problem.ts";
import classes from "./JsonEditor.module.css";
import { formatJson, parseJson } from "./parse-json.ts";
import { syntaxErrorText } from "./syntax-error-text.ts";

interface Props {
  label: string;
  description?: string;
  /** The text, which may be invalid JSON. */
  value: string;
  onChange: (text: string) => void;
  /** An error message besides the syntax error, which the editor finds itself. */
  error?: ReactNode;
  /** Problems to mark at their places in the text, besides `error`. */
  problems?: readonly JsonProblem[];
}

const NONE: readonly JsonProblem[] = [];

/**
 * An input for JSON that checks the syntax while the user types. The code of the editor loads when
 * the input is first shown. If loading fails, the input is a plain text area.
 */
export function JsonEditor(props: Props) {
  const { label, description, value, onChange, error, problems = NONE } = props;
  const { t } = useTranslation();
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<CodeEditor | "failed">();
  const changed = useEffectEvent(onChange);
  const initialText = useEffectEvent(() => value);
  useEffect(() => {
    let created: CodeEditor | undefined;
    let isRemoved = false;
    const load = async () => {
      try {
        const { createCodeEditor } = await import("./code-editor.ts");
        if (isRemoved || !host.current) return;
        created = createCodeEditor({
          host: host.current,
          text: initialText(),
          onChange: (text) => changed(text),
        });
        setEditor(created);
      } catch {
        setEditor("failed");
      }
    };
    void load();
    return () => {
      isRemoved = true;
      created?.destroy();
    };
  }, []);

  const parsed = value.trim() === "" ? undefined : parseJson(value);
  const syntaxError = parsed?.error && syntaxErrorText(t, parsed.error);
  const shownError = syntaxError ?? error;
  const isInvalid = shownError !== undefined || problems.length > 0;
  const describedBy = [description, shownError].filter((text) => typeof text === "string");
  const look = { label, description: describedBy.join(" "), isInvalid, syntaxError, problems };
  const lookKey = JSON.stringify(look);

  useEffect(() => {
    if (typeof editor !== "object") return;
    editor.setText(value);
    editor.setLook(JSON.parse(lookKey) as typeof look);
  }, [editor, value, lookKey]);

  if (editor === "failed")
    return (
      <Textarea
        {...{ label, description, value, error: shownError }}
        classNames={{ input: classes.plain ?? "" }}
        autosize
        minRows={3}
        maxRows={16}
        spellCheck={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    );
  return (
    <Input.Wrapper
      label={label}
      description={description}
      error={shownError}
      labelElement="div"
      classNames={{ label: classes.label ?? "", error: classes.error ?? "" }}
      labelProps={{ onClick: () => host.current?.focus() }}
      inputWrapperOrder={["label", "description", "input", "error"]}
    >
      <div className={classes.box}>
        <div
          ref={host}
          className={classes.editor}
          data-json-editor
          // Mantine's dialogs ignore Escape here.
          data-mantine-stop-propagation="true"
          data-invalid={isInvalid || undefined}
        />
        {parsed && !parsed.error && formatJson(parsed.value) !== value && (
          <Button
            className={classes.format ?? ""}
            size="compact-sm"
            variant="default"
            onClick={() => onChange(formatJson(parsed.value))}
          >
            {t("json.format")}
          </Button>
        )}
      </div>
    </Input.Wrapper>
  );
}
