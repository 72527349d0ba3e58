import { Anchor, Tabs, Text } from "@mantine/core";
import type { ApiKey } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { CopyableCode } from "../ui/CopyableCode.tsx";
import { snippetsFor } from "./snippets.ts";

interface Props {
  /** An API key, or a placeholder for one. */
  apiKey: string;
  keyType: ApiKey["keyType"];
  flagKey?: string | undefined;
}

/** The build copies the documents from the repository (vite.config.ts). */
const OPENFEATURE_DOCS = "/docs/openfeature.md";
const UNLEASH_DOCS = "/docs/migrate-from-unleash.md";

/** The tabs in their order. OpenFeature is first, because most applications should use it. */
const LANGUAGES = ["openfeature", "sdk", "unleash", "curl", "typescript"] as const;

/** One tab per language. Each code example has a copy button. */
export function SdkSnippets({ apiKey, keyType, flagKey = "my-flag" }: Props) {
  const { t } = useTranslation();
  const snippets = snippetsFor(keyType, { url: location.origin, apiKey, flagKey });
  const unleashUrl = `${location.origin}/api/unleash${keyType === "SERVER" ? "" : "/frontend"}`;
  const languages = LANGUAGES.filter((language) => snippets[language] !== undefined);
  return (
    <Tabs defaultValue="openfeature" keepMounted={false}>
      <Tabs.List aria-label={t("start.snippetLanguages")}>
        {languages.map((language) => (
          <Tabs.Tab key={language} value={language}>
            {t(`start.snippets.${language}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {languages.map((language) => (
        <Tabs.Panel key={language} value={language} pt="xs">
          <CopyableCode name={t(`start.snippets.${language}`)} code={snippets[language] ?? ""} />
          {language === "openfeature" && (
            <Text size="xs" c="dimmed" mt="xs">
              {t("start.openfeatureHint", { url: `${location.origin}/api` })}{" "}
              <Anchor inherit underline="always" href={OPENFEATURE_DOCS} target="_blank">
                {t("start.openfeatureDocs")}
              </Anchor>
            </Text>
          )}
          {language === "unleash" && (
            <Text size="xs" c="dimmed" mt="xs">
              {t("start.unleashHint", { url: unleashUrl })}{" "}
              <Anchor inherit underline="always" href={UNLEASH_DOCS} target="_blank">
                {t("start.unleashDocs")}
              </Anchor>
            </Text>
          )}
          {language === "sdk" && (
            <Text size="xs" c="dimmed" mt="xs">
              {t("start.sdkHint")}
            </Text>
          )}
        </Tabs.Panel>
      ))}
      <Text size="xs" c="dimmed" mt="xs">
        {t(keyType === "SERVER" ? "start.serverKeyHint" : "start.frontendKeyHint")}
      </Text>
    </Tabs>
  );
}
