import type { ReactNode } from "react";
import type { Environment } from "../api/types.ts";
import { LinkAnchor } from "../ui/links.tsx";

interface Props {
  environment: Pick<Environment, "id" | "projectId">;
  children: ReactNode;
}

/** A text link to the API keys page, filtered by one environment. */
export function ApiKeysLink({ environment: { id, projectId }, children }: Props) {
  return (
    <LinkAnchor
      size="sm"
      to="/projects/$projectId/api-keys"
      params={{ projectId }}
      search={{ environment: id }}
    >
      {children}
    </LinkAnchor>
  );
}
