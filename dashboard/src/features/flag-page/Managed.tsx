import { Anchor, Group, Paper, Stack, Text } from "@mantine/core";
import { IconFileCode } from "@tabler/icons-react";
import type { FlagWithRelated } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import { type Managed, managersOf, repositoryLink, shortCommit } from "./managed.ts";
import classes from "./Managed.module.css";

/** Returns a function that names the file that manages a field, with the commit of its last apply. */
function useManagedText(): (managed: Managed) => string {
  const { t } = useTranslation();
  return ({ manager, commit }) =>
    commit === null
      ? t("flagPage.managedBy", { manager })
      : t("flagPage.managedByCommit", { manager, commit: shortCommit(commit) });
}

/** Says which files manage fields of a flag, with links to their repositories. Renders nothing without a file. */
export function ManagedStrip({ flag: { projectId, related } }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const describe = useManagedText();
  const managers = managersOf(related?.managedBy ?? []);
  if (managers.length === 0) return null;
  return (
    <Paper withBorder radius="md" px="md" py="xs" className={classes.strip}>
      <IconFileCode size={18} stroke={1.75} aria-hidden className={classes.icon} />
      <Stack gap={2} className={classes.words}>
        {managers.map((managed) => {
          const link = repositoryLink(managed);
          return (
            <Group key={managed.manager} gap="xs">
              <Text size="sm" fw={500}>
                {describe(managed)}
              </Text>
              {link !== undefined && (
                <Anchor size="sm" href={link} target="_blank" rel="noreferrer">
                  {t("flagPage.managedRepository")}
                </Anchor>
              )}
            </Group>
          );
        })}
      </Stack>
      <LinkAnchor size="sm" to="/projects/$projectId/export" params={{ projectId }}>
        {t("shell.files")}
      </LinkAnchor>
    </Paper>
  );
}

/** A small mark beside a field that a file manages. Undefined: the field has none. */
export function ManagedMark({ managed }: { managed: Managed | undefined }) {
  const describe = useManagedText();
  if (!managed) return null;
  const text = describe(managed);
  return (
    <span role="img" aria-label={text} title={text} className={classes.mark}>
      <IconFileCode size={16} stroke={1.75} aria-hidden />
    </span>
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
