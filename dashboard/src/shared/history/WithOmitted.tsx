import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import type { Omitted } from "./shortened.ts";

interface Props {
  omitted: readonly Omitted[];
  children: ReactNode;
}

/** Shows below a value what the audit record does not have of it. */
export function WithOmitted({ omitted, children }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const text = ({ kind, count }: Omitted) =>
    t(`history.${kind}`, { count, formatted: number(count) });
  return (
    <>
      {children}
      {omitted.length > 0 && (
        <Text size="sm" c="dimmed">
          {omitted.map(text).join(", ")}
        </Text>
      )}
    </>
  );
}
