import { Skeleton, Stack } from "@mantine/core";
import { Loading } from "../shared/ui/QueryView.tsx";

/** The placeholder of a page while its code loads. */
export function PageSkeleton() {
  return (
    <Loading>
      <Stack>
        <Skeleton height={28} width="14rem" mb="lg" />
        <Skeleton height={36} />
        <Skeleton height={320} radius="md" />
      </Stack>
    </Loading>
  );
}
