import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import type { Flag } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";

const CLIENTS = ["all", "server"] as const satisfies readonly Flag["clients"][];

interface Props {
  label: string;
  value: Flag["clients"];
  onChange: (clients: Flag["clients"]) => void;
  error?: ReactNode;
}

/** The input for the clients that get a flag: servers and browsers, or only servers. */
export function ClientsInput({ label, value, onChange, error }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      label={label}
      description={t(`clients.means.${value}`)}
      data={CLIENTS.map((clients) => ({ value: clients, label: t(`clients.${clients}`) }))}
      value={value}
      onChange={(chosen) => onChange(CLIENTS.find((one) => one === chosen) ?? value)}
      allowDeselect={false}
      error={error}
    />
  );
}
