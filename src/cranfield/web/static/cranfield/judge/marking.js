// The text of a document as it comes onto the page: structure only, with words marked.

const TAGS = new Set(
  (
    "B BLOCKQUOTE BR CAPTION CODE DD DIV DL DT EM H1 H2 H3 H4 H5 H6 HR I LI OL P PRE Q S SECTION SMALL SPAN STRONG " +
    "SUB SUP TABLE TBODY TD TFOOT TH THEAD TR U UL"
  ).split(" "),
);
// Headings of a document lie below the heading of the page.
const LOWER = { H1: "h3", H2: "h4", H3: "h5", H4: "h6", H5: "h6", H6: "h6" };
const ENDINGS = ["ings", "ing", "ies", "ied", "ed", "es", "e", "s", "y"];
const SHORTEST = 4;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;
// 3.5, R&D and C++ are words too.
const LETTERS = "[\\p{L}\\p{N}\\p{M}]+";
const WORD = new RegExp(`\\d+(?:[.,]\\d+)+|${LETTERS}(?:&${LETTERS})+|${LETTERS}(?:\\+\\+|#)?`, "gu");

/** A fragment of the document. The server has cleaned the HTML already; here it is built anew of what is known. */
export function textOf(html, words) {
  const source = new DOMParser().parseFromString(html, "text/html");
  const fragment = document.createDocumentFragment();
  copy(source.body, fragment, finding(words));
  return fragment;
}

/** What finds these words, also with other endings; null if there are none. */
export function finding(words) {
  const patterns = words.flatMap((word) => word.toLowerCase().match(WORD) ?? []).map(pattern);
  // The longer first: C++ before C.
  patterns.sort((one, other) => other.length - one.length);
  return patterns.length ? new RegExp([...new Set(patterns)].join("|"), "giu") : null;
}

/** A text with its words marked, put into an element. */
export function putText(element, text, found = null) {
  element.replaceChildren();
  mark(text, element, found);
}

function copy(from, to, found) {
  for (const node of from.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) {
      mark(node.data, to, found);
    } else if (TAGS.has(node.nodeName)) {
      const element = document.createElement(LOWER[node.nodeName] ?? node.nodeName);
      copy(node, element, found);
      to.append(element);
    }
  }
}

function mark(text, to, found) {
  let end = 0;
  for (const match of found ? text.matchAll(found) : []) {
    const marked = document.createElement("mark");
    marked.textContent = match[0];
    to.append(text.slice(end, match.index), marked);
    end = match.index + match[0].length;
  }
  to.append(text.slice(end));
}

function pattern(word) {
  const escaped = word.replace(/[.+]/g, "\\$&");
  if (UNSPACED.test(word)) return escaped;
  // Other endings are those of words: not of numbers, single letters, or names such as R&D.
  if (!/^[\p{L}\p{M}]{2,}$/u.test(word)) return `(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}\\p{M}])`;
  return `(?<![\\p{L}\\p{N}])${stem(word)}[\\p{L}\\p{N}\\p{M}]*`;
}

function stem(word) {
  if (word.endsWith("ss")) return word;
  const ending = ENDINGS.find((one) => word.endsWith(one) && word.length - one.length >= SHORTEST);
  return ending ? word.slice(0, -ending.length) : word;
}
