import { ActionIcon, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import { Hint } from "../ui/Hint.tsx";
import classes from "./FlagBadges.module.css";

/** The key of a flag, with a copy button. */
export function FlagKey({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.key}>
      <code className={classes.keyText}>{value}</code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Hint label={copied ? t("common.copied") : t("flags.copyKey")}>
            <ActionIcon size={24} onClick={copy} aria-label={t("flags.copyKeyOf", { key: value })}>
              {copied ? (
                <IconCheck size={14} stroke={1.75} aria-hidden />
              ) : (
                <IconCopy size={14} stroke={1.75} aria-hidden />
              )}
            </ActionIcon>
          </Hint>
        )}
      </CopyButton>
    </span>
  );
}
