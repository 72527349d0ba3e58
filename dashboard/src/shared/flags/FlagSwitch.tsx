import { Switch } from "@mantine/core";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FlagSwitch.module.css";

interface Props {
  /** The name of the flag. */
  flag: string;
  /** The name of the environment. */
  environment: string;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** The large switch of a flag in one environment, with its state as a text. */
export function FlagSwitch({ flag, environment, isOn, onSwitch }: Props) {
  const { t } = useTranslation();
  return (
    <Switch
      size="md"
      aria-label={t("flags.switchLabel", { flag, environment })}
      label={<span aria-hidden>{t(isOn ? "common.on" : "common.off")}</span>}
      classNames={{
        root: classes.root ?? "",
        body: classes.target ?? "",
        track: classes.track ?? "",
        label: classes.label ?? "",
      }}
      checked={isOn}
      onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
    />
  );
}
