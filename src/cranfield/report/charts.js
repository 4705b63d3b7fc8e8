// Draws the figures of a page, on the ground that the reader asks for, and on white for paper.
(() => {
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  let printing = false;

  function groundOf(figure) {
    if (printing) return "light";
    const asked = document.documentElement.dataset.ground || figure.dataset.ground;
    return asked === "light" || asked === "dark" ? asked : prefersDark.matches ? "dark" : "light";
  }

  async function draw(figure) {
    const target = figure.querySelector(".cranfield-drawing");
    const ground = groundOf(figure);
    if (target.dataset.ground === ground) return;
    target.dataset.ground = ground;
    const spec = JSON.parse(figure.querySelector("script").textContent);
    try {
      await vegaEmbed(target, spec, {
        mode: "vega-lite",
        renderer: "svg",
        config: CRANFIELD_GROUNDS[ground],
        tooltip: { theme: ground },
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: figure.dataset.name || "chart",
      });
    } catch (error) {
      target.textContent = `This chart cannot be drawn: ${error.message}`;
      throw error;
    }
  }

  // A page that lets its reader choose sets data-ground on its root element and calls this.
  window.cranfieldDraw = () =>
    Promise.all([...document.querySelectorAll(".cranfield-chart")].map(draw));

  prefersDark.addEventListener("change", window.cranfieldDraw);
  for (const [event, value] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      printing = value;
      window.cranfieldDraw();
    });
  }
  document.addEventListener("DOMContentLoaded", window.cranfieldDraw);
})();
