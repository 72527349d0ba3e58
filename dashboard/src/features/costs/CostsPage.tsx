import { Alert, Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { CostTotal } from "./CostTotal.tsx";
import { CounterList } from "./CounterList.tsx";
import { platformUsageQuery } from "./platform-usage-query.ts";

const PRICES = "https://developers.cloudflare.com/workers/platform/pricing/";

/** The build copies the document from the repository (vite.config.ts). */
const MODEL = "/docs/performance.md";

/** The page that shows administrators what the service has used of what Cloudflare bills. */
export function CostsPage() {
  const { t } = useTranslation();
  const usage = useQuery(platformUsageQuery);
  return (
    <>
      <PageHeader title={t("costs.title")} description={t("costs.description")} />
      <QueryView query={usage}>
        {(loaded) =>
          loaded.counting ? (
            <Stack gap="lg">
              <CostTotal usage={loaded} />
              <CounterList counters={loaded.counters} />
              <Text size="sm" c="dimmed" maw="48rem">
                <Trans
                  i18nKey="costs.note"
                  components={{
                    prices: <NoteLink href={PRICES} />,
                    model: <NoteLink href={MODEL} />,
                  }}
                />
              </Text>
            </Stack>
          ) : (
            <Alert color="yellow" title={t("costs.off")} role="status">
              {t("costs.offText")}
            </Alert>
          )
        }
      </QueryView>
    </>
  );
}

/** A link in the note. `Trans` gives it its text. */
function NoteLink({ href, children }: { href: string; children?: ReactNode }) {
  return (
    <Anchor inherit underline="always" href={href} target="_blank" rel="noreferrer">
      {children}
    </Anchor>
  );
}
