import { ColorSwatch, Stack, TextInput, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./ColorInput.module.css";
import { COLOR_NAMES, COLORS, isHex } from "./tag-colors.ts";

interface Props {
  value: string;
  onChange: (color: string) => void;
  error: string | undefined;
}

/** An input for the colour of a tag, either one of the named colours or a hex value. */
export function ColorInput({ value, onChange, error }: Props) {
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
