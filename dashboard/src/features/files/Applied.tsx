import { Alert } from "@mantine/core";
import type { ChangeRequest } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";

interface Props {
  projectId: number;
  /** The change request of the apply. Undefined: the file is applied. */
  request: ChangeRequest | undefined;
}

/** Says what an apply has done, with a link to its result. */
export function Applied({ projectId, request }: Props) {
  const { t } = useTranslation();
  return (
    <Alert color={request ? "yellow" : "green"} variant="light" role="status">
      {t(request ? "files.proposed" : "files.applied")}{" "}
      {request ? (
        <LinkAnchor
          size="sm"
          to="/projects/$projectId/change-requests/$requestId"
          params={{ projectId, requestId: request.id }}
        >
          {t("files.showRequest")}
        </LinkAnchor>
      ) : (
        <LinkAnchor size="sm" to="/projects/$projectId/flags" params={{ projectId }}>
          {t("files.showFlags")}
        </LinkAnchor>
      )}
    </Alert>
  );
}
