import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";

/** Such as `3 minutes ago`, or "never" for null. `at` is ISO 8601. */
export function TimeAgo({ at }: { at: string | null }) {
  const { t } = useTranslation();
  const { relative, dateTime } = useFormat();
  if (at === null) return <>{t("common.never")}</>;
  return (
    <time dateTime={at} title={dateTime(at)}>
      {relative(at)}
    </time>
  );
}
