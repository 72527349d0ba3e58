import { IconShieldLock } from "@tabler/icons-react";
import type { Environment } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import classes from "./ProtectionMark.module.css";

type Protected = Pick<Environment, "requiredApprovals">;

/** A hook that returns a function which says how an environment is protected. Undefined: it is not. */
export function useProtectionText(): (environment: Protected) => string | undefined {
  const { t } = useTranslation();
  return ({ requiredApprovals: count }) =>
    count > 0 ? t("environments.protection.needs", { count }) : undefined;
}

/** A shield if direct changes in an environment need approvals. Renders nothing otherwise. */
export function ProtectionMark({ environment }: { environment: Protected }) {
  const text = useProtectionText()(environment);
  return (
    text !== undefined && (
      <span role="img" aria-label={text} title={text} className={classes.mark}>
        <IconShieldLock size={16} stroke={1.75} aria-hidden />
      </span>
    )
  );
}
