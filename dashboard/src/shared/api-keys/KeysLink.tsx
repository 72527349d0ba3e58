import { Anchor } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Environment } from "../api/types.ts";

interface Props {
  environment: Pick<Environment, "id" | "projectId">;
  children: ReactNode;
}

/** To the API keys of one environment. */
export function KeysLink({ environment: { id, projectId }, children }: Props) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => (
        <Link
          to="/projects/$projectId/api-keys"
          params={{ projectId }}
          search={{ environment: id }}
          {...props}
        />
      )}
    >
      {children}
    </Anchor>
  );
}
