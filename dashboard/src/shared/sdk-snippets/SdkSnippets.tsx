import { Anchor, Tabs, Text } from "@mantine/core";
import type { ApiKey, Flag } from "../api/types.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { CopyableCode } from "../ui/CopyableCode.tsx";
import { fallbackOf } from "./fallback.ts";
import { snippetsFor } from "./snippets.ts";
import type { Language } from "./types.ts";

interface Props {
  /** An API key, or a placeholder for one. */
  apiKey: string;
  keyType: ApiKey["keyType"];
  /** Undefined for a boolean flag that does not exist yet. */
  flag?: Pick<Flag, "key" | "valueType" | "variants" | "offVariant"> | undefined;
}

const EXAMPLE: NonNullable<Props["flag"]> = {
  key: "my-flag",
  valueType: "boolean",
  variants: [],
  offVariant: null,
};

/** The build copies the documents from the repository (vite.config.ts). */
const OPENFEATURE_DOCS = "/docs/openfeature.md";
const UNLEASH_DOCS = "/docs/migrate-from-unleash.md";

/** The tabs in their order. OpenFeature is first, because most applications should use it. */
const LANGUAGES = [
  "openfeature",
  "react",
  "python",
  "go",
  "sdk",
  "unleash",
  "curl",
  "typescript",
] as const satisfies readonly Language[];

/** The languages whose examples use OpenFeature. */
const WITH_OPENFEATURE: ReadonlySet<Language> = new Set(["openfeature", "react", "python", "go"]);

/** One tab per language. Each code example has a copy button. */
export function SdkSnippets({ apiKey, keyType, flag = EXAMPLE }: Props) {
  const { t } = useTranslation();
  const { key: flagKey, valueType } = flag;
  const input = { url: location.origin, apiKey, flagKey, valueType, fallback: fallbackOf(flag) };
  const snippets = snippetsFor(keyType, input);
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
          {WITH_OPENFEATURE.has(language) && (
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
