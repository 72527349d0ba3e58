import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import type { Environment } from "../../shared/api/types.ts";

export interface Scope {
  projectId: number;
  environment: Environment;
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Title order={2} size="h4" mb="sm" id={id}>
        {title}
      </Title>
      {children}
    </section>
  );
}
