import { cloneElement, type ReactElement, type ReactNode } from "react";
import type { Part, TextKey, Values } from "./translate.ts";
import { useTranslation } from "./use-translation.ts";

interface Props {
  i18nKey: TextKey;
  values?: Values;
  /** An element for each tag of the text, such as `time` for `<time/>`. */
  components: Readonly<Record<string, ReactElement>>;
}

/** Shows a text whose tags are elements. */
export function Trans({ i18nKey, values, components }: Props) {
  const { split } = useTranslation();
  const show = (parts: readonly Part[]): ReactNode[] =>
    parts.map((part) =>
      typeof part === "string"
        ? part
        : cloneElement(components[part.tag] ?? <></>, undefined, ...show(part.parts)),
    );
  return cloneElement(<></>, undefined, ...show(split(i18nKey, values)));
}
