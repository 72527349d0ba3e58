import { Skeleton } from "@mantine/core";
import { deferred } from "../ui/deferred.tsx";

/** The editor for constraints. Its code contains the evaluator's parser, and loads after the page. */
export const ConstraintsEditor = deferred(
  async () => (await import("./ConstraintsEditor.tsx")).ConstraintsEditor,
  () => <Skeleton height={36} aria-hidden />,
);
