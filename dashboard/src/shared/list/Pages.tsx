import { Group, Pagination } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";

interface Props {
  /** The first is 1. */
  page: number;
  pages: number;
  onPage: (page: number) => void;
}

/** The way to the other pages of a list; nothing where there is one page. */
export function Pages({ page, pages, onPage }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const isNarrow = useMediaQuery("(max-width: 48em)", undefined, {
    getInitialValueInEffect: false,
  });
  if (pages <= 1) return null;
  return (
    <Group component="nav" aria-label={t("common.pages.label")} justify="center" mt="md">
      <Pagination
        value={page}
        total={pages}
        onChange={onPage}
        siblings={isNarrow ? 0 : 1}
        size={isNarrow ? "sm" : "md"}
        getItemProps={(item) => ({
          "aria-label": t("common.pages.item", { page: number(item), pages: number(pages) }),
        })}
        getControlProps={(control) => ({ "aria-label": t(`common.pages.${control}`) })}
      />
    </Group>
  );
}
