import { Button } from "@mantine/core";
import { IconArchive, IconArchiveOff, IconTrash } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Flag } from "../../shared/api/types.ts";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";

/**
 * A button that archives the flag. For an archived flag, buttons that restore and delete the flag.
 * Renders nothing for users who may not change flags.
 */
export function FlagLifecycle({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { archive, confirmUnarchive } = useFlagLifecycle();
  const [isDeleting, setDeleting] = useState(false);
  const { projectId } = flag;

  if (!useCan("flag:write")) return null;
  if (!flag.archived)
    return (
      <Button
        variant="default"
        leftSection={<IconArchive size={16} stroke={1.75} aria-hidden />}
        onClick={() => void archive(flag)}
      >
        {t("flags.archive")}
      </Button>
    );
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconArchiveOff size={16} stroke={1.75} aria-hidden />}
        onClick={() => void confirmUnarchive(flag)}
      >
        {t("flags.unarchive")}
      </Button>
      <Button
        variant="default"
        leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
        onClick={() => setDeleting(true)}
      >
        {t("flags.deleteFlag")}
      </Button>
      <DeleteFlagModal
        flag={flag}
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        onDeleted={() => void navigate({ to: "/projects/$projectId/flags", params: { projectId } })}
      />
    </>
  );
}
