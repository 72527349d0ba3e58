import { ActionIcon, CopyButton } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./FlagBadges.module.css";

export function FlagKey({ value }: { value: string }) {
  const { t } = useTranslation();
  return (
    <span className={classes.key}>
      <code className={classes.keyText} title={value}>
        {value}
      </code>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <ActionIcon
            size={24}
            onClick={copy}
            title={copied ? t("common.copied") : t("flags.copyKey")}
            aria-label={t("flags.copyKeyOf", { key: value })}
          >
            {copied ? (
              <IconCheck size={14} stroke={1.75} aria-hidden />
            ) : (
              <IconCopy size={14} stroke={1.75} aria-hidden />
            )}
          </ActionIcon>
        )}
      </CopyButton>
    </span>
  );
}
