import { Accordion, Anchor, List, Stack, Text } from "@mantine/core";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { CodeBlock } from "../../shared/ui/CodeBlock.tsx";

const RECEIVER = `import express from "express";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.WEBHOOK_SECRET); // whsec_…
const app = express();

// The signature covers the raw body. A body that is parsed and serialised again may differ.
app.post("/flags", express.text({ type: "*/*" }), (request, response) => {
  try {
    const { type, data } = webhook.verify(request.body, request.headers);
    console.log(type, data);
    response.sendStatus(204);
  } catch {
    response.sendStatus(401);
  }
});

app.listen(8080);
`;

/** A collapsible text that explains how a receiver verifies the signature of a webhook request. */
export function SignatureHelp() {
  const { t } = useTranslation();
  return (
    <Accordion variant="contained" order={2} mt="md">
      <Accordion.Item value="signature">
        <Accordion.Control>
          <Text size="sm" fw={500}>
            {t("integrations.verify")}
          </Text>
        </Accordion.Control>
        <Accordion.Panel>
          <Stack gap="sm">
            <Text size="sm">
              <Trans
                i18nKey="integrations.verifyText"
                components={{
                  standard: (
                    <Anchor
                      inherit
                      underline="always"
                      href="https://www.standardwebhooks.com"
                      target="_blank"
                      rel="noreferrer"
                    />
                  ),
                }}
              />
            </Text>
            <CodeBlock label={t("integrations.verify")}>{RECEIVER}</CodeBlock>
            <Text size="sm">{t("integrations.verifyByHand")}</Text>
            <List size="sm" type="ordered">
              <List.Item>{t("integrations.verifySteps.time")}</List.Item>
              <List.Item>{t("integrations.verifySteps.sign")}</List.Item>
              <List.Item>{t("integrations.verifySteps.compare")}</List.Item>
              <List.Item>{t("integrations.verifySteps.once")}</List.Item>
            </List>
          </Stack>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}
