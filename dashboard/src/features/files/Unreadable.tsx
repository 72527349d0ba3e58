import { Alert } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { ReadDocument } from "./read-document.ts";

interface Props {
  document: Extract<ReadDocument, { kind: "unreadable" | "refused" }>;
}

/** Says why texts cannot be read or converted. */
export function Unreadable({ document }: Props) {
  const { t } = useTranslation();
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={t("files.unreadable")}
      style={{ whiteSpace: "pre-wrap" }}
    >
      {document.kind === "unreadable"
        ? document.message
        : t(`files.documentFaults.${document.code}`, document.details)}
    </Alert>
  );
}
