import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { LinkAnchor } from "../../../shared/ui/links.tsx";
import { flagByKeyQuery } from "./flag-queries.ts";

interface Props {
  projectId: number;
  flagKey: string;
}

/** The name of a flag as a link to its page, with its key. Only the key until the name is known. */
export function FlagLink({ projectId, flagKey }: Props) {
  const { data: flag } = useQuery(flagByKeyQuery(projectId, flagKey));
  const key = (
    <Text span size="xs" ff="monospace" c="dimmed">
      {flagKey}
    </Text>
  );
  if (!flag) return key;
  return (
    <>
      <LinkAnchor
        size="sm"
        fw={600}
        to="/projects/$projectId/flags/$flagId"
        params={{ projectId, flagId: flag.id }}
      >
        {flag.name}
      </LinkAnchor>{" "}
      {flag.name !== flagKey && key}
    </>
  );
}
