// Charts: drag to zoom, double click to see all again; the cursors of all charts move together.

const superscript = (n) => String(n).replace(/[-0-9]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]));

/** As many digits as tell neighbors `step` apart; powers of ten for what is very large or small. */
function tickText(value, step, largest) {
  if (value === 0) return "0";
  const sign = value < 0 ? "−" : "";
  const size = Math.abs(value);
  const exponent = largest >= 1e5 || largest < 1e-2 ? Math.floor(Math.log10(largest) + 1e-9) : 0;
  const scale = 10 ** exponent;
  let digits = 0;
  while (digits < 12 && Math.abs((step / scale) * 10 ** digits - Math.round((step / scale) * 10 ** digits)) > 1e-6) ++digits;
  return sign + (size / scale).toFixed(digits) + (exponent ? `×10${superscript(exponent)}` : "");
}

function linearTicks(chart, splits) {
  const largest = Math.max(...splits.map(Math.abs));
  return splits.map((value) => tickText(value, splits[1] - splits[0], largest));
}

/** Whole powers of ten alone, and no more of them than there is room for; what is left out is null. */
function wholePowers(chart, splits) {
  const power = (value) => Math.round(Math.log10(value));
  const whole = splits.map((value) => (value > 0 && Math.abs(Math.log10(value) - power(value)) < 1e-6 ? value : null));
  const stride = Math.ceil(whole.filter((value) => value !== null).length / 7);
  return whole.map((value) => (value !== null && power(value) % stride === 0 ? value : null));
}

function logTicks(chart, splits) {
  return splits.map((value) => (value === null ? "" : `10${superscript(Math.round(Math.log10(value)))}`));
}

const legendText = (value) => (value === null || value === undefined ? "–" : Number(value.toPrecision(5)).toString());

/** Columns over one common x, as uPlot wants them: what is missing or cannot be shown is null. */
function columns(chart) {
  let x;
  const tables = chart.series.map((series) => {
    x = series.x ?? x;
    return [x, series.y.map((value) => (chart.log && !(value > 0) ? null : value))];
  });
  const shared = tables.every((table) => table[0] === tables[0][0]);
  return shared ? [tables[0][0], ...tables.map((table) => table[1])] : uPlot.join(tables);
}

/** The same with every solid series raised by those below it, and the bands between them. */
function stacked(chart, plain) {
  const raised = plain.map((column) => [...column]);
  const bands = [];
  let below = 0;
  chart.series.forEach((series, i) => {
    if (series.dashed) return;
    if (below > 0) {
      raised[i + 1] = raised[i + 1].map((value, row) => value + raised[below][row]);
      bands.push({ series: [i + 1, below], fill: `${color(series.color ?? i)}66` });
    }
    below = i + 1;
  });
  return { raised, bands };
}

/** Decades that hold the values; a run that explodes must not flatten the others. */
function logRange(columns) {
  const shown = columns.map((column) => column.filter((value) => value > 0)).filter((column) => column.length > 0);
  const tops = shown.map((column) => Math.max(...column)).sort((a, b) => a - b);
  const low = Math.min(...shown.map((column) => Math.min(...column)));
  const high = Math.min(tops.at(-1), 1e4 * tops[Math.floor((tops.length - 1) / 2)]);
  const bottom = Math.floor(Math.log10(low));
  return [10 ** bottom, 10 ** Math.max(Math.ceil(Math.log10(high)), bottom + 1)];
}

function draw(chart, parent) {
  const plain = columns(chart);
  const { raised, bands } = chart.stacked ? stacked(chart, plain) : { raised: plain, bands: [] };
  const axis = {
    stroke: style("--text"),
    font: "13px system-ui, sans-serif",
    labelFont: "13px system-ui, sans-serif",
    grid: { stroke: style("--line"), width: 1 },
    ticks: { stroke: style("--line"), width: 1 },
  };
  const logAxis = {
    values: logTicks,
    filter: wholePowers,
    grid: { ...axis.grid, filter: wholePowers },
    ticks: { ...axis.ticks, filter: wholePowers },
  };
  const series = chart.series.map((entry, i) => ({
    label: entry.name,
    stroke: color(entry.color ?? i),
    width: 1.75,
    dash: entry.dashed ? [7, 5] : undefined,
    fill: chart.stacked && i === 0 && !entry.dashed ? `${color(entry.color ?? i)}66` : undefined,
    points: { show: plain[0].length === 1 },
    spanGaps: false,
    value: (plot, value, index, row) => legendText(row === null ? null : plain[index][row]),
  }));
  const size = () => ({ width: parent.clientWidth - 24, height: chart.stacked ? 380 : 300 });
  const limits = chart.log ? logRange(plain.slice(1)) : chart.range;
  const range = limits ? () => limits : undefined;
  const plot = new uPlot(
    {
      ...size(),
      scales: { x: { time: false }, y: { distr: chart.log ? 3 : 1, range } },
      axes: [
        { ...axis, label: chart.x, values: linearTicks },
        { ...axis, label: chart.y, size: 84, ...(chart.log ? logAxis : { values: linearTicks }) },
      ],
      series: [{ label: chart.x, value: (plot, value) => legendText(value) }, ...series],
      bands,
      cursor: { sync: { key: "time" }, drag: { x: true, y: false } },
    },
    raised,
    parent,
  );
  new ResizeObserver(() => plot.setSize(size())).observe(parent);
  return plot;
}

async function showCharts() {
  if (!data.uplot) return;
  const script = document.createElement("script");
  script.textContent = await unpackText(data.uplot.script);
  const sheet = document.createElement("style");
  sheet.textContent = await unpackText(data.uplot.style);
  document.head.prepend(script, sheet);
  let plots = [];
  const redraw = () => {
    plots.forEach((plot) => plot.destroy());
    const parent = document.getElementById("charts");
    parent.replaceChildren();
    plots = data.charts.map((chart) => {
      const card = document.createElement("div");
      card.className = chart.stacked ? "chart wide" : "chart";
      const heading = document.createElement("h3");
      heading.textContent = chart.title;
      card.append(heading);
      parent.append(card);
      return draw(chart, card);
    });
  };
  redraw();
  onThemeChange(redraw);
}
