import { Skeleton } from "@mantine/core";
import { Suspense } from "react";
import { lazyPart } from "../lazy.ts";
import type { ReviewersProps } from "./ReviewersSelect.tsx";

const Select = lazyPart(async () => (await import("./ReviewersSelect.tsx")).ReviewersSelect);

/** The height of the input with its label and its hint, pixels. */
const HEIGHT = 81;

/** As `ReviewersSelect`. Its code loads with the first dialog that needs it, and not with the first page. */
export const ReviewersInput = (props: ReviewersProps) => (
  <Suspense fallback={<Skeleton height={HEIGHT} />}>
    <Select {...props} />
  </Suspense>
);
