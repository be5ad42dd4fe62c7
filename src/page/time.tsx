import { unmistakable } from '../core/text/printable.js';
import { ACTIVITY_WORDS } from '../view/activity-words.js';
import { selectTimeline, type Stretch } from '../view/select-timeline.js';
import { shownAgent, times, travelTo, until, view } from './state.js';
import { age, clock } from './words.js';

/** The slider through the time of the session. */
export function Clock() {
  const { from, to } = times.value;
  const at = until.value ?? to;
  return (
    <div class="clock">
      <input
        type="range"
        aria-label="Time of the session"
        aria-valuetext={clock(at)}
        min={from}
        max={to}
        value={at}
        onInput={(event) => {
          const time = Number(event.currentTarget.value);
          travelTo(time >= to ? undefined : time);
        }}
      />
      <output>{until.value === undefined ? 'now' : clock(at)}</output>
      <button
        type="button"
        disabled={until.value === undefined}
        onClick={() => travelTo(undefined)}
      >
        Now
      </button>
    </div>
  );
}

/** Most stretches that are drawn for one agent: the newest. */
const MOST = 400;

/** The activities and calls of the chosen agent as bars. */
export function Timeline() {
  const { at: now } = view.value;
  const agent = shownAgent.value;
  if (agent === undefined) return null;
  const stretches = selectTimeline(view.value, agent).slice(-MOST);
  const from = stretches[0]?.from ?? now;
  const span = Math.max(1, now - from);
  const place = (one: Stretch) => ({
    left: `${((one.from - from) / span) * 100}%`,
    width: `${Math.max(0.3, (((one.to ?? now) - one.from) / span) * 100)}%`,
  });
  const rows = ['activity', 'calls', 'decisions'] as const;
  const rowOf = (one: Stretch): (typeof rows)[number] =>
    one.kind === 'call' ? 'calls' : one.kind === 'decision' ? 'decisions' : 'activity';
  return (
    <section aria-label="Timeline" class="timeline">
      {rows.map((row) => (
        <div key={row} class="row">
          <span class="label">{row}</span>
          <div class="bars">
            {stretches
              .filter((one) => rowOf(one) === row)
              .map((one, index) => (
                <span
                  key={index}
                  role="img"
                  class={`bar ${one.kind} ${one.outcome ?? ''}`}
                  style={place(one)}
                  title={describe(one, now)}
                  aria-label={describe(one, now)}
                />
              ))}
          </div>
        </div>
      ))}
    </section>
  );
}

function describe({ kind, label, from, to, outcome }: Stretch, now: number): string {
  const name =
    kind === 'call' || kind === 'decision'
      ? `${kind} ${unmistakable(label)}`
      : ACTIVITY_WORDS[kind];
  return `${name}, ${clock(from)}, ${age((to ?? now) - from)}${outcome === undefined ? '' : `, ${outcome}`}`;
}
