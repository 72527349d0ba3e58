import { Badge, Text } from "@mantine/core";
import { IconFileCode } from "@tabler/icons-react";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { type Managed, repositoryLink, shortCommit } from "./managed.ts";

interface Props {
  /** The file that owns the field. Undefined: the badge is not shown. */
  managed: Managed | undefined;
  /** The name of the field. Undefined: the field is beside the badge. */
  field?: string;
}

/** Says that a file owns a field, with the commit of its last apply and a link to its repository. */
export function ManagedBadge({ managed, field }: Props) {
  const { t } = useTranslation();
  if (!managed) return null;
  const { manager, repository, commit } = managed;
  const text =
    commit === null
      ? t("flagPage.managedBy", { manager })
      : t("flagPage.managedByCommit", { manager, commit: shortCommit(commit) });
  const look = {
    variant: "light",
    color: "gray",
    size: "lg",
    leftSection: <IconFileCode size={14} aria-hidden />,
    title: repository ?? manager,
    children: field === undefined ? text : `${field}: ${text}`,
  } as const;
  const link = repositoryLink(managed);
  if (link === undefined) return <Badge {...look} />;
  return (
    <Badge
      {...look}
      component="a"
      href={link}
      target="_blank"
      rel="noreferrer"
      style={{ cursor: "pointer" }}
    />
  );
}

interface WarningProps {
  /** The names of the changed fields that files own. Empty: the warning is not shown. */
  fields: readonly string[];
}

/** Warns before a change of managed fields is saved. */
export function ManagedWarning({ fields }: WarningProps) {
  const { t } = useTranslation();
  const { list } = useFormat();
  if (fields.length === 0) return null;
  return (
    <Text size="sm" fw={500} role="status">
      {t("flagPage.managedWarning", { fields: list(fields) })}
    </Text>
  );
}
