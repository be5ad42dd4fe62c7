import { signal } from '@preact/signals';
import { unmistakable } from '../core/text/printable.js';
import { selectStatecharts, type StatechartView } from '../view/select-statecharts.js';
import { curveOf, layOutChart, type Box, type Chart } from './chart-layout.js';
import { shownTask, shownTime, view } from './state.js';
import { age, clock } from './words.js';

type Charts = Readonly<Record<StatechartView['machine'], Chart>>;

const charts = signal<Charts | undefined>(undefined);
let asked: Promise<void> | undefined;

/** The machines of the chosen agent with their active states. */
export function Statecharts() {
  const task = shownTask.value;
  asked ??= fetch('/machines.json')
    .then(async (answer) => void (charts.value = (await answer.json()) as Charts))
    .catch(() => (asked = undefined));
  if (task === undefined || charts.value === undefined) return <p class="facts">No task yet.</p>;
  const known = charts.value;
  return (
    <>
      {selectStatecharts(view.value, task).map((shown, index) => (
        <Statechart key={index} shown={shown} chart={known[shown.machine]} />
      ))}
    </>
  );
}

const MACHINES = { agent: 'Agent', task: 'Task', toolCall: 'Tool call' } as const;

function Statechart({ shown, chart }: { readonly shown: StatechartView; readonly chart: Chart }) {
  const { machine, name, active, since, transitions } = shown;
  return (
    <section class="statechart" aria-label={`Statechart of ${MACHINES[machine]}`}>
      <h3>
        {MACHINES[machine]} <bdi>{unmistakable(name)}</bdi>{' '}
        <small>
          {active}, {age(shownTime.value - since)}
        </small>
      </h3>
      <Drawing shown={shown} chart={chart} />
      {transitions.length === 0 ? null : (
        <table>
          <caption>Last transitions</caption>
          <tbody>
            {transitions.map(({ from, to, at }, index) => (
              <tr key={index}>
                <td>
                  <time>{clock(at)}</time>
                </td>
                <td>
                  {from} → {to}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}

function Drawing({
  shown: { machine, active, transitions },
  chart,
}: {
  readonly shown: StatechartView;
  readonly chart: Chart;
}) {
  const { boxes, width, height } = layOutChart(chart);
  const byId = new Map(boxes.map((box) => [box.id, box]));
  const [last] = transitions;
  const arrows = chart.arrows.flatMap(({ from, to, label }) => {
    const [a, b] = [byId.get(from), byId.get(to)];
    const isInside = `${to}.`.startsWith(`${from}.`) || `${from}.`.startsWith(`${to}.`);
    if (a === undefined || b === undefined || isInside) return [];
    const isLast = from === last?.from && to === last.to;
    return [
      { path: curveOf(a, b), label, kind: isLast ? 'last' : isActive(from, active) ? 'next' : '' },
    ];
  });
  return (
    <svg
      role="img"
      aria-label={`${MACHINES[machine]}: ${active}`}
      viewBox={`-4 -4 ${width + 10} ${height + 10}`}
      width={width + 10}
      class="chart"
    >
      <marker
        id={`head-${machine}`}
        viewBox="0 0 8 8"
        refX="7"
        refY="4"
        markerWidth="7"
        markerHeight="7"
        orient="auto"
      >
        <path d="M0 0 L8 4 L0 8 z" class="head" />
      </marker>
      {boxes.map((box) =>
        box.isCompound ? <State key={box.id} box={box} active={active} /> : null,
      )}
      {arrows.map(({ path, label, kind }, index) => (
        <path key={index} d={path} class={`arrow ${kind}`} marker-end={`url(#head-${machine})`}>
          <title>{label}</title>
        </path>
      ))}
      {boxes.map((box) =>
        box.isCompound ? null : <State key={box.id} box={box} active={active} />,
      )}
    </svg>
  );
}

function State({ box, active }: { readonly box: Box; readonly active: string }) {
  const { id, name, x, y, width, height, isInitial, isFinal, isCompound } = box;
  const isHere = active === id && !isCompound;
  return (
    <g class={`box ${isActive(id, active) ? 'active' : ''} ${isHere ? 'here' : ''}`}>
      <rect x={x} y={y} width={width} height={height} rx="6" />
      {isFinal ? <rect x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx="4" /> : null}
      {isInitial ? <circle cx={x + 8} cy={y + 9} r="3" class="initial" /> : null}
      {isCompound ? ( // at the left, as few arrows pass there
        <text x={x + 17} y={y + 14}>
          {name}
        </text>
      ) : (
        <text x={x + width / 2} y={y + 18} text-anchor="middle">
          {name}
        </text>
      )}
    </g>
  );
}

function isActive(id: string, active: string): boolean {
  return active === id || active.startsWith(`${id}.`);
}
