// The grader's screen: its terminal's colours as those of the page.
const roles = { 31: "wrong", 32: "right", 34: "blue", 1: "bold" };

export function screen(text) {
  const pieces = text.split(/\x1b\[(\d+)m/);
  return pieces.flatMap((piece, i) => {
    if (i % 2 === 1 || piece === "") return [];
    const role = roles[pieces[i - 1]];
    if (!role) return [piece];
    const one = document.createElement("span");
    one.className = role;
    one.textContent = piece;
    return [one];
  });
}
