import { unmistakable } from '../core/text/printable.js';
import { totalTokens } from '../core/tasks/usage.js';
import { selectUsage } from '../view/select-usage.js';
import {
  chosenSession,
  costOf,
  isRunning,
  live,
  openSession,
  sessions,
  shownTime,
  times,
  travelBy,
  travelTo,
  until,
  view,
} from './state.js';
import { connection } from './server.js';
import { clock, count, moment, plural, usd } from './words.js';

/** The chosen session, its totals, and the time that is shown. */
export function Header() {
  return (
    <header class={until.value === undefined ? '' : 'past'}>
      <h1>Troupe</h1>
      <Skip to=".node[tabindex='0']">Go to the agents</Skip>
      <Skip to="[role='tab'][tabindex='0']">Go to the views</Skip>
      <Sessions />
      <Facts />
      <Calls />
      <span role="status" class={connection.value === 'open' ? 'connected' : 'lost'}>
        {statusText()}
      </span>
      <Clock />
    </header>
  );
}

/** A way for the keyboard, shown when it has the focus. */
function Skip({ to, children }: { readonly to: string; readonly children: string }) {
  return (
    <button
      type="button"
      class="skip"
      onClick={() => document.querySelector<HTMLElement>(to)?.focus()}
    >
      {children}
    </button>
  );
}

function Sessions() {
  const groups = [
    ['Running', sessions.value.filter(({ status }) => RUNNING.includes(status))],
    ['Recorded', sessions.value.filter(({ status }) => !RUNNING.includes(status))],
  ] as const;
  return (
    <label>
      Session
      <select
        value={chosenSession.value}
        onChange={(event) => openSession(event.currentTarget.value)}
      >
        {groups.map(([name, listed]) =>
          listed.length === 0 ? null : (
            <optgroup key={name} label={name}>
              {listed.map(({ id, status, startedAt = 0, title, prompt = '' }) => (
                <option key={id} value={id}>
                  {moment(startedAt)} · {unmistakable((title ?? prompt).slice(0, 60))}
                  {RUNNING.includes(status) ? '' : ` · ${status}`}
                </option>
              ))}
            </optgroup>
          ),
        )}
      </select>
    </label>
  );
}

const RUNNING = ['live', 'elsewhere'];

function Facts() {
  const { agents } = view.value;
  const { total } = selectUsage(view.value, costOf);
  const atWork = [...agents.values()].filter(({ activity }) => AT_WORK.includes(activity)).length;
  return (
    <span class="facts">
      {plural(agents.size, 'agent')}
      {isRunning.value ? `, ${atWork} at work` : ''} · {count(totalTokens(total.usage))} tokens ·{' '}
      {usd(total.usd)}
    </span>
  );
}

const AT_WORK = ['starting', 'sampling', 'acting'];

/** The ways to what a person should see: a request, or a session that runs while another one is shown. */
function Calls() {
  const { length } = live.value.requests;
  const running = sessions.value.find(({ status }) => status === 'live');
  return (
    <>
      {length === 0 ? null : (
        <button
          type="button"
          class="needs-you"
          onClick={() => document.getElementById('requests')?.focus()}
        >
          {length} need{length === 1 ? 's' : ''} you
        </button>
      )}
      {isRunning.value || running === undefined ? null : (
        <button type="button" onClick={() => openSession(running.id)}>
          Open the running session
        </button>
      )}
    </>
  );
}

/** The slider through the time of the session. */
function Clock() {
  const { from, to } = times.value;
  const step = Math.max(1, Math.ceil((to - from) / STEPS));
  const end = from + step * Math.ceil((to - from) / step);
  const at = until.value ?? end;
  return (
    <div class="clock" role="group" aria-label="Time">
      <span>{moment(from)}</span>
      <button type="button" aria-label="Previous change" onClick={() => void travelBy(-1)}>
        ◂
      </button>
      <input
        type="range"
        aria-label="Time of the session"
        aria-valuetext={clock(Math.min(at, to))}
        min={from}
        max={end}
        step={step}
        value={at}
        onInput={(event) => {
          const time = Number(event.currentTarget.value);
          travelTo(time >= to ? undefined : time);
        }}
      />
      <button
        type="button"
        aria-label="Next change"
        disabled={until.value === undefined}
        onClick={() => void travelBy(1)}
      >
        ▸
      </button>
      <output>
        {until.value === undefined ? (isRunning.value ? 'now' : 'end') : clock(shownTime.value)}
      </output>
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

/** Steps of the slider: an arrow key moves it by one. */
const STEPS = 200;

function statusText(): string {
  switch (connection.value) {
    case 'open':
      return `${live.value.troupes.length} running`;
    case 'lost':
      return 'connection lost, trying again';
    case 'refused':
      return 'not allowed: open the address that troupe web has printed';
    default:
      return connection.value satisfies never;
  }
}
