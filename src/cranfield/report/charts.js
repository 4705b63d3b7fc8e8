// Draws the figures of a page: as wide as there is room for, on the ground that the reader asks for, on white for paper.
(() => {
  const NARROW = 520; // With less room than that, legends stand below a chart, and labels are shorter.
  const ROOM_BESIDE_CELLS = 720; // With less, the legend of a matrix stands below it.
  const PAPER = 680, PAPER_HEIGHT = 260; // What a printed page has between its margins, and what half of one leaves to a plot.
  const MENU = 44; // The button in the corner of a chart.
  const PADDING = 24; // Left and right of a chart together.
  const PANEL_EDGE = 40; // The axis of a panel, and what is between two.
  const PANEL_LEAST = 0.8; // How much narrower than planned a panel may be, to have another beside it.
  const LEAST_STEP = 8, LEAST_WIDTH = 110, LEAST_ROW = 18;
  const GROWTH = { single: 1.25, step: 1.25, panels: 2 }; // How much wider than planned a chart may become.
  const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
  const drawings = new WeakMap();
  const pen = document.createElement("canvas").getContext("2d");
  let printing = false;

  function groundOf(figure) {
    if (printing) return "light";
    const asked = document.documentElement.dataset.ground || figure.dataset.ground;
    return asked === "light" || asked === "dark" ? asked : prefersDark.matches ? "dark" : "light";
  }

  function lookOf(ground, room, plan) {
    const look = CRANFIELD_GROUNDS[ground];
    if (room >= (plan.kind === "step" ? ROOM_BESIDE_CELLS : NARROW)) return look;
    const narrow = room < NARROW;
    const params = look.params.map((one) => (one.name === "narrow" ? { ...one, value: narrow } : one));
    const below = { orient: "bottom", direction: "vertical", columns: narrow ? 1 : 4 };
    return { ...look, params, legend: { ...look.legend, ...below, labelLimit: narrow ? room - 60 : 150 } };
  }

  // Lines of text that are not wider than the room; words that are wider by themselves are cut into pieces.
  function wrapped(lines, font, room) {
    pen.font = font;
    const fits = (text) => pen.measureText(text).width <= room;
    const found = [];
    let line = "";
    for (let word of [].concat(lines ?? []).join(" ").split(/\s+/).filter(Boolean)) {
      if (line && !fits(`${line} ${word}`)) {
        found.push(line);
        line = "";
      }
      while (!fits(word)) {
        let length = word.length - 1;
        while (length > 1 && !fits(word.slice(0, length))) length -= 1;
        found.push(word.slice(0, length));
        word = word.slice(length);
      }
      line = line ? `${line} ${word}` : word;
    }
    return line ? [...found, line] : found;
  }

  function titleOf(title, look, room) {
    const { fontSize, fontWeight, subtitleFontSize } = look.title;
    return {
      ...title,
      frame: "bounds", // From the left edge of all, so that it needs no more than the room.
      text: wrapped(title.text, `${fontWeight} ${fontSize}px ${look.font}`, room),
      subtitle: wrapped(title.subtitle, `${subtitleFontSize}px ${look.font}`, room),
    };
  }

  // What can be changed about the width of a chart: that of its panels, of its steps, or its own. Panels in rows that
  // belong together (a matrix of scatter plots) stay in their rows.
  function planOf(spec, room) {
    if (spec.vconcat) {
      const rows = spec.vconcat.map((row) => row.hconcat ?? [row]);
      const columns = Math.max(...rows.map((row) => row.length));
      return { kind: "rows", planned: rows[0][0].width, least: LEAST_STEP, growth: 1, columns };
    }
    if (spec.concat) {
      const panels = spec.concat.length, planned = spec.concat[0].width;
      const most = Math.min(panels, Math.max(1, Math.floor(room / (PANEL_LEAST * planned + PANEL_EDGE))));
      const columns = Math.ceil(panels / Math.ceil(panels / most));
      return { kind: "panels", planned, least: LEAST_WIDTH, growth: GROWTH.panels, columns };
    }
    if (spec.width?.step) {
      return { kind: "step", planned: spec.width.step, least: LEAST_STEP, growth: GROWTH.step };
    }
    const square = spec.width === spec.height;
    const growth = !square ? GROWTH.single : printing ? PAPER_HEIGHT / spec.width : 1;
    return { kind: "single", planned: spec.width, least: LEAST_WIDTH, growth };
  }

  function heightOf(view, planned, size) {
    const share = size / planned;
    if (view.height?.step && view.width?.step) {
      return { step: Math.max(Math.min(view.height.step, LEAST_ROW), Math.min(1, share) * view.height.step) };
    }
    if (typeof view.height !== "number") return view.height;
    if (view.width === view.height) return size;
    const height = view.height * Math.min(1.2, Math.max(1, share));
    return printing ? Math.min(height, PAPER_HEIGHT) : height;
  }

  function sized(spec, plan, size) {
    const { planned } = plan;
    if (plan.kind === "step") return { ...spec, width: { step: size }, height: heightOf(spec, planned, size) };
    const one = (view) => {
      const title = view.title?.limit ? { ...view.title, limit: size } : view.title;
      return { ...view, width: size, height: heightOf(view, planned, size), ...(title && { title }) };
    };
    if (plan.kind === "single") return { ...spec, width: size, height: heightOf(spec, planned, size) };
    if (plan.kind === "rows") {
      const row = (view) => (view.hconcat ? { ...view, hconcat: view.hconcat.map(one) } : one(view));
      return { ...spec, vconcat: spec.vconcat.map(row) };
    }
    return { ...spec, columns: plan.columns, concat: spec.concat.map(one) };
  }

  // Draws, looks how wide that became, and draws again so that it fits. Returns the last drawing.
  async function fitted(spec, ground, room, options) {
    const plan = planOf(spec, room);
    const look = lookOf(ground, room, plan);
    const whole = spec.title ? { ...spec, title: titleOf(spec.title, look, room - MENU - PADDING) } : spec;
    console.assert(typeof plan.planned === "number", "a chart without a width");
    let size = plan.planned, made = null;
    for (let tries = 0; tries < 3; tries += 1) {
      const place = document.createElement("div");
      made?.result.finalize();
      made = { place, result: await vegaEmbed(place, sized(whole, plan, size), { ...options, config: look }) };
      const drawn = Number(place.querySelector("svg.marks").getAttribute("width"));
      const parts = plan.kind === "step" ? made.result.view.signal("width") / size : plan.columns ?? 1;
      const wanted = size + (room - drawn) / parts;
      const next = Math.min(plan.planned * plan.growth, Math.max(Math.min(plan.least, plan.planned), wanted));
      if (Math.abs(next - size) * parts < 3) break;
      size = plan.kind === "step" ? next : Math.floor(next);
    }
    return made;
  }

  async function draw(figure) {
    const target = figure.querySelector(".cranfield-drawing");
    const ground = groundOf(figure);
    const room = printing ? PAPER : Math.floor(figure.clientWidth);
    const drawn = `${ground} ${room}`;
    if (!room || target.dataset.drawn === drawn) return;
    target.dataset.drawn = drawn;
    target.dataset.ground = ground;
    const spec = JSON.parse(figure.querySelector("script").textContent);
    try {
      const made = await fitted(spec, ground, room, {
        mode: "vega-lite",
        renderer: "svg",
        tooltip: { theme: ground },
        actions: { export: true, source: false, compiled: false, editor: false },
        downloadFileName: figure.dataset.name || "chart",
      });
      if (target.dataset.drawn !== drawn) return made.result.finalize(); // Something else was asked for meanwhile.
      drawings.get(target)?.finalize();
      drawings.set(target, made.result);
      target.replaceChildren(made.place);
    } catch (error) {
      target.textContent = `This chart cannot be drawn: ${error.message}`;
      throw error;
    }
  }

  // A page that lets its reader choose sets data-ground on its root element and calls this.
  window.cranfieldDraw = () =>
    Promise.all([...document.querySelectorAll(".cranfield-chart")].map(draw));

  prefersDark.addEventListener("change", window.cranfieldDraw);
  let waiting;
  window.addEventListener("resize", () => {
    clearTimeout(waiting);
    waiting = setTimeout(window.cranfieldDraw, 150);
  });
  for (const [event, value] of [["beforeprint", true], ["afterprint", false]]) {
    window.addEventListener(event, () => {
      printing = value;
      window.cranfieldDraw();
    });
  }
  document.addEventListener("DOMContentLoaded", async () => {
    await Promise.allSettled([...document.querySelectorAll(".cranfield-chart")].map(draw));
    window.dispatchEvent(new Event("cranfield-drawn"));
  });
})();
