// Parts of VitePress's own theme (1.6), put right for those who hear a page: a group of the side bar is no button that has a button in
// it, its caret says what it opens, the name of the search button is what is seen on it, and a page that is missing has a main part.
import { basename } from "node:path";

const parts = {
  "VPSidebarItem.vue": [
    [':role="itemRole"', ""],
    [':tabindex="item.items && 0"', ""],
    ['aria-label="toggle section"', ':aria-label="`the sections of ${item.text}`" :aria-expanded="!collapsed"'],
  ],
  "VPNavBarSearchButton.vue": [['<span class="DocSearch-Button-Keys">', '<span class="DocSearch-Button-Keys" aria-hidden="true">']],
  "NotFound.vue": [
    ['<div class="NotFound">', '<main class="NotFound">'],
    ["  </div>\n</template>", "  </main>\n</template>"],
  ],
};

export const theme_parts = {
  name: "theme-parts",
  enforce: "pre",
  transform(code, id) {
    if (!/theme-default\/.*\.vue$/.test(id)) return undefined;
    return (parts[basename(id)] ?? []).reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} has no ${from}`);
      return text.replace(from, to);
    }, code);
  },
};
