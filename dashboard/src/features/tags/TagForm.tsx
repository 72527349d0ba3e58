import { ColorSwatch, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { IconCheck } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { send } from "../../shared/api/request.ts";
import type { Tag } from "../../shared/api/types.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import classes from "./TagForm.module.css";

interface Props {
  onClose: () => void;
  /** The tag to edit. Undefined if the form creates a new one. */
  tag?: Tag | undefined;
}

export function TagForm({ onClose, tag }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const save = useMutation({
    mutationFn: (body: { name: string; color: string }) =>
      tag
        ? send("put", "/api/v1/tags/{id}", { path: { id: tag.id }, ifMatch: tag.version, body })
        : send("post", "/api/v1/tags", { body: { ...body, projectId } }),
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { name: tag?.name ?? "", color: tag?.color ?? COLORS.blue },
      validate: {
        name: isNotEmpty(t("common.required")),
        color: (color) => (isHex(color) ? null : t("tags.hexRule")),
      },
    },
    submit: async (values) => {
      await conflictToFieldError(save.mutateAsync(values), "name", t("tags.nameTaken"));
      onClose();
    },
  });
  const { error: colorError } = form.getInputProps("color") as { error?: string };
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={tag && t("tags.renameHint")} {...form.getInputProps("name")} />
      <ColorInput
        value={form.values.color}
        onChange={(color) => form.setFieldValue("color", color)}
        error={colorError}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(tag ? "common.save" : "tags.create")}
      />
    </ServerForm>
  );
}

interface ColorInputProps {
  value: string;
  onChange: (color: string) => void;
  error: string | undefined;
}

/** An input for the colour of a tag, either one of the named colours or a hex value. */
function ColorInput({ value, onChange, error }: ColorInputProps) {
  const { t } = useTranslation();
  return (
    <Stack gap="xs">
      <fieldset className={classes.swatches}>
        <legend className={classes.legend}>{t("tags.color")}</legend>
        {COLOR_NAMES.map((name) => (
          <label key={name} className={classes.swatch} title={t(`tags.colors.${name}`)}>
            <input
              type="radio"
              name="color"
              checked={value.toLowerCase() === COLORS[name]}
              onChange={() => onChange(COLORS[name])}
            />
            <VisuallyHidden>{t(`tags.colors.${name}`)}</VisuallyHidden>
            <span className={classes.dot} style={{ backgroundColor: COLORS[name] }}>
              {value.toLowerCase() === COLORS[name] && (
                <IconCheck size={16} stroke={3} color="white" aria-hidden />
              )}
            </span>
          </label>
        ))}
      </fieldset>
      <TextInput
        aria-label={t("tags.hex")}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value.trim())}
        leftSection={
          <ColorSwatch color={isHex(value) ? value : "transparent"} size={18} aria-hidden />
        }
        maxLength={7}
        maw="9rem"
        spellCheck={false}
        error={error}
      />
    </Stack>
  );
}

/** Named colours that are easy to distinguish, and visible in the light and in the dark theme. */
const COLORS = {
  gray: "#868e96",
  red: "#e03131",
  pink: "#c2255c",
  grape: "#9c36b5",
  violet: "#7048e8",
  indigo: "#3b5bdb",
  blue: "#1971c2",
  cyan: "#0c8599",
  teal: "#099268",
  green: "#2f9e44",
  yellow: "#f08c00",
  orange: "#e8590c",
} as const;

type ColorName = keyof typeof COLORS;

const COLOR_NAMES = Object.keys(COLORS) as ColorName[];

/** Whether the text is a colour in the format that the API accepts, such as `#2f9e44`. */
const isHex = (text: string): boolean => /^#(?:[0-9a-f]{3}){1,2}$/i.test(text);
