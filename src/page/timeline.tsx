import { signal } from '@preact/signals';
import { unmistakable } from '../core/text/printable.js';
import type { AgentView } from '../view/agent-view.js';
import { ACTIVITY_WORDS } from '../view/activity-words.js';
import { selectTimeline, type Stretch } from '../view/select-timeline.js';
import { isNow, openAgent, shownAgent, shownTime, times, view } from './state.js';
import { age, clock, plural } from './words.js';

/** The kinds of stretches that are drawn, with their words; the last ones lie on top. */
const SHOWN = {
  sampling: ACTIVITY_WORDS.sampling,
  acting: ACTIVITY_WORDS.acting,
  decision: 'waits for a decision',
  failed: 'failed or denied',
} as const;
type Kind = keyof typeof SHOWN;
const KINDS = Object.keys(SHOWN) as readonly Kind[];

/** Most stretches of an agent that are drawn: the newest. */
const MOST_STRETCHES = 300;
const MOST_AGENTS = 100;

type Window = { readonly from: number; readonly to: number };

/** The time of one agent. */
export function AgentTimeline({ agent }: { readonly agent: AgentView }) {
  return <Lane isAlone agent={agent} window={{ from: agent.startedAt, to: shownTime.value }} />;
}

const RANGES = { all: Infinity, '10 minutes': 600_000, '1 minute': 60_000 } as const;
const range = signal<keyof typeof RANGES>('all');

/** The times of all agents, one below the other. */
export function Timeline() {
  const to = shownTime.value;
  const from = Math.max(times.value.from, to - RANGES[range.value]);
  const agents = [...view.value.agents.values()]
    .filter(({ endedAs, since }) => endedAs === undefined || since >= from)
    .toSorted((a, b) => a.startedAt - b.startedAt);
  return (
    <div class="timeline">
      <div class="legend">
        <label>
          Show{' '}
          <select
            value={range.value}
            onChange={(event) => (range.value = event.currentTarget.value as keyof typeof RANGES)}
          >
            <option value="all">the whole session</option>
            <option value="10 minutes">10 minutes</option>
            <option value="1 minute">1 minute</option>
          </select>
        </label>
        {Object.entries(SHOWN).map(([kind, words]) => (
          <span key={kind}>
            <i class={`swatch ${kind}`} /> {words}
          </span>
        ))}
      </div>
      <ol>
        {agents.slice(0, MOST_AGENTS).map((agent) => (
          <li key={agent.id} class="lane">
            <button
              type="button"
              class="name"
              aria-current={agent === shownAgent.value}
              onClick={() => openAgent(agent.id)}
            >
              <bdi>{unmistakable(agent.name)}</bdi>
            </button>
            <Lane agent={agent} window={{ from, to }} />
          </li>
        ))}
        <li class="lane axis">
          <span>
            {agents.length > MOST_AGENTS ? `${agents.length - MOST_AGENTS} more agents` : ''}
          </span>
          <span>
            <time>{clock(from)}</time> <span>{age(to - from)}</span>{' '}
            <time>{isNow.value ? 'now' : clock(to)}</time>
          </span>
        </li>
      </ol>
    </div>
  );
}

/** The bars of an agent. Those of one agent tell their times; those of many are one shape for each kind. */
function Lane({
  agent,
  window,
  isAlone = false,
}: {
  readonly agent: AgentView;
  readonly window: Window;
  readonly isAlone?: boolean;
}) {
  const { from, to } = window;
  const stretches = selectTimeline(view.value, agent).filter((one) => (one.to ?? to) >= from);
  const bars = stretches.slice(-MOST_STRETCHES).flatMap((one): readonly Bar[] => {
    const kind = kindOf(one);
    if (kind === undefined) return [];
    const begin = Math.max(one.from, from);
    const share = (ms: number): number => (ms / Math.max(1, to - from)) * UNITS;
    const width = Math.max(1, Math.round(share((one.to ?? to) - begin)));
    return [{ one, kind, x: Math.round(share(begin - from)), width }];
  });
  return (
    <svg
      role="img"
      class="bars"
      aria-label={summarise(agent, stretches, window)}
      viewBox={`0 0 ${UNITS} 1`}
      preserveAspectRatio="none"
    >
      {KINDS.map((kind) => {
        const shown = bars.filter((bar) => bar.kind === kind);
        if (!isAlone) return <path key={kind} class={kind} d={shown.map(shapeOf).join('')} />;
        return shown.map((bar, index) => (
          <path key={`${kind} ${index}`} class={kind} d={shapeOf(bar)}>
            <title>{describe(bar.one, to)}</title>
          </path>
        ));
      })}
    </svg>
  );
}

/** The width of a drawing. */
const UNITS = 1_000;

type Bar = {
  readonly one: Stretch;
  readonly kind: Kind;
  readonly x: number;
  readonly width: number;
};

function shapeOf({ x, width }: Bar): string {
  return `M${x} 0h${width}v1h-${width}z`;
}

/** The kind of a bar; undefined if none is drawn: its agent is idle, or the bar of the tool calls shows it. */
function kindOf({ kind, outcome }: Stretch): Kind | undefined {
  if (kind === 'decision') return outcome === 'denied' ? 'failed' : 'decision';
  if (kind === 'call') return outcome === 'failed' ? 'failed' : undefined;
  return kind === 'sampling' || kind === 'acting' ? kind : undefined;
}

function describe({ kind, label, from, to, outcome }: Stretch, now: number): string {
  const name =
    kind === 'call' || kind === 'decision'
      ? `${kind} ${unmistakable(label)}`
      : ACTIVITY_WORDS[kind];
  return `${name}, ${clock(from)}, ${age((to ?? now) - from)}${outcome === undefined ? '' : `, ${outcome}`}`;
}

/** The bars in words. */
function summarise(
  { name }: AgentView,
  stretches: readonly Stretch[],
  { from, to }: Window,
): string {
  const timeOf = (kind: Stretch['kind']): string =>
    age(
      stretches
        .filter((one) => one.kind === kind)
        .reduce((sum, one) => sum + (one.to ?? to) - Math.max(one.from, from), 0),
    );
  const calls = stretches.filter(({ kind }) => kind === 'call');
  const failed = calls.filter(({ outcome }) => outcome === 'failed' || outcome === 'denied');
  return [
    `Time of ${unmistakable(name)}: ${timeOf('sampling')} model requests`,
    `${timeOf('acting')} tool calls`,
    `${timeOf('decision')} waiting for decisions`,
    `${timeOf('idle')} idle`,
    plural(calls.length, 'call'),
    `${failed.length} failed`,
  ].join(', ');
}
