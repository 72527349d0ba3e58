import { VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reviewCountQuery } from "../shared/change-requests/queries.ts";
import { useFormat } from "../shared/i18n/use-format.ts";
import { useTranslation } from "../shared/i18n/use-translation.ts";
import { useProjectsWith } from "../shared/session/current-session.tsx";
import classes from "./Navigation.module.css";

/** How many change requests of a project the user can review. Renders nothing if there are none. */
export function ReviewCount({ projectId }: { projectId: number }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const mayReview = useProjectsWith("change-request:review").some(({ id }) => id === projectId);
  const { data: count = 0 } = useQuery({ ...reviewCountQuery(projectId), enabled: mayReview });
  if (!mayReview || count === 0) return null;
  return (
    <span className={classes.count}>
      {number(count)}
      <VisuallyHidden> {t("shell.toReview")}</VisuallyHidden>
    </span>
  );
}
