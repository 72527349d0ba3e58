import { createTheme } from "@mantine/core";

/**
 * The Mantine theme. It defines no colours and turns off Mantine's scroll lock, because Mantine
 * would write <style> elements for both. The content security policy blocks these elements, so
 * styles.css contains the colours. A dialog needs no scroll lock, because it is outside of the <main>
 * that scrolls.
 */
export const theme = createTheme({
  cursorType: "pointer",
  defaultRadius: "md",
  respectReducedMotion: true,
  // Plain objects instead of `Modal.extend`, because the pages before sign-in load this file, but not
  // the code of these components.
  components: {
    Modal: { defaultProps: { lockScroll: false, centered: true } },
    Tooltip: { defaultProps: { withArrow: true, openDelay: 300 } },
    Badge: { defaultProps: { size: "sm", radius: "sm", tt: "none", fw: 600, miw: "max-content" } },
    ActionIcon: { defaultProps: { variant: "subtle", color: "gray" } },
  },
});
