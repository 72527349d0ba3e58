import { createTheme, Modal, Tooltip, ActionIcon } from "@mantine/core";

/**
 * The Mantine theme. Mantine's scroll lock writes a <style> element, which the content security
 * policy blocks, so styles.css replaces the scroll lock and sets the colours.
 */
export const theme = createTheme({
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
  components: {
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    Tooltip: Tooltip.extend({ defaultProps: { withArrow: true, openDelay: 300 } }),
    ActionIcon: ActionIcon.extend({ defaultProps: { variant: "subtle", color: "gray" } }),
  },
});
