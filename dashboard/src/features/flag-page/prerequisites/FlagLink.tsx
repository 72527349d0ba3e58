import { Text } from "@mantine/core";
import type { FlagWithRelated } from "../../../shared/api/types.ts";
import { LinkAnchor } from "../../../shared/ui/links.tsx";

interface Props {
  /** The flag that requires the other flag, or is required by it. */
  from: FlagWithRelated;
  flagKey: string;
}

/** The name of a flag as a link to its page, with its key. Only the key if the name is unknown. */
export function FlagLink({ from: { projectId, related }, flagKey }: Props) {
  const flag = related?.flags.find(({ key }) => key === flagKey);
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
