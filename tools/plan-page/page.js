// The page of `plan -o html`. Everything of the plan becomes text nodes: no part of it is read as HTML.
(() => {
  /** Shows characters that control a terminal, or the direction of a text. */
  const visible = (text) =>
    text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) =>
      one === '\t' ? one : `\\u{${one.codePointAt(0).toString(16).padStart(4, '0')}}`,
    );
  const plan = JSON.parse(document.getElementById('plan').textContent, (_, value) =>
    typeof value === 'string' ? visible(value) : value,
  );
  const main = document.getElementById('main');
  const KINDS = ['removed', 'replaced', 'changed', 'added'];
  const PAGE = 100;
  const MOST_WORDS = 600;

  function element(name, attributes, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(attributes ?? {})) if (value !== undefined) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== undefined && child !== ''));
    return made;
  }

  const link = (url, text) =>
    /^https?:\/\//.test(url ?? '') ? element('a', { href: url, rel: 'noreferrer' }, text) : undefined;

  function section(id, title, ...children) {
    const made = element('section', { 'aria-labelledby': id }, element('h2', { id }, title), ...children);
    main.append(made);
    return made;
  }

  /** Appends items a page at a time. */
  function paged(parent, items, draw) {
    let shown = 0;
    const more = element('button', { type: 'button' });
    const next = () => {
      const page = items.slice(shown, shown + PAGE).map(draw);
      shown += page.length;
      more.before(...page);
      more.hidden = shown >= items.length;
      more.textContent = `Show ${Math.min(PAGE, items.length - shown)} of ${items.length - shown} more`;
    };
    more.addEventListener('click', next);
    parent.append(more);
    next();
  }

  function notes(id, title, items, draw, count = items.length) {
    if (items.length === 0) return;
    paged(section(id, `${title} (${count})`), items, draw);
  }

  /** Counts as the summary does: a row stands for several dangers, and an accepted one is counted on its own. */
  function countOf(dangers) {
    const [open, accepted] = [false, true].map((isAccepted) =>
      dangers.filter((one) => (one.accepted !== undefined) === isAccepted).reduce((sum, { count }) => sum + count, 0),
    );
    return accepted === 0 ? open : `${open}, ${accepted} accepted`;
  }

  function danger({ code, text, url, accepted }) {
    const place = link(url, 'line');
    return element(
      'p',
      { class: `note ${accepted === undefined ? 'danger' : 'accepted'}` },
      element('span', { class: 'code' }, code),
      text,
      place && ' ',
      place,
      accepted === undefined ? undefined : element('span', { class: 'soft' }, ` Accepted: ${accepted}`),
    );
  }

  function images(all) {
    if (all.length === 0) return;
    const body = element('tbody');
    for (const { from, to, floating, containers } of all) {
      const mark = floating ? element('span', { class: 'floating' }, ' any version') : undefined;
      body.append(
        element(
          'tr',
          {},
          element('td', {}, from ?? ''),
          element('td', {}, to ?? '', mark),
          element('td', { class: 'number' }, String(containers)),
        ),
      );
    }
    const names = ['Before', 'After', 'Containers'];
    const head = element(
      'tr',
      {},
      ...names.map((name) =>
        element('th', { scope: 'col', class: name === 'Containers' ? 'number' : undefined }, name),
      ),
    );
    section('images', `Images (${all.length})`, element('table', {}, element('thead', {}, head), body));
  }

  /** Marks what differs between two lines: words of the longest common sequence are omitted. */
  function wordsOf(one, other) {
    const [a, b] = [one, other].map((text) => text.match(/\w+|\s+|[^\w\s]/g) ?? []);
    if (a.length * b.length > MOST_WORDS * MOST_WORDS) return [[one], [other]];
    const table = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
    for (let i = a.length - 1; i >= 0; i--) {
      for (let j = b.length - 1; j >= 0; j--) {
        table[i][j] = a[i] === b[j] ? table[i + 1][j + 1] + 1 : Math.max(table[i + 1][j], table[i][j + 1]);
      }
    }
    const [left, right] = [[], []];
    const mark = (list, text) => list.push(element('mark', {}, text));
    let [i, j] = [0, 0];
    while (i < a.length || j < b.length) {
      if (i < a.length && j < b.length && a[i] === b[j]) {
        left.push(a[i++]);
        right.push(b[j++]);
      } else if (j >= b.length || (i < a.length && table[i + 1][j] >= table[i][j + 1])) mark(left, a[i++]);
      else mark(right, b[j++]);
    }
    return [left, right];
  }

  function hunk({ title, lines }) {
    const made = element('div', { class: 'hunk' });
    if (title !== '') made.append(element('div', { class: 'where' }, title));
    const drawn = lines.map((line) => [line]);
    for (let at = 0; at < lines.length; at++) {
      if (lines[at][0] !== '-' || lines[at - 1]?.[0] === '-') continue;
      let from = at;
      while (lines[from]?.[0] === '-') from++;
      for (let k = 0; at + k < from && lines[from + k]?.[0] === '+'; k++) {
        const [left, right] = wordsOf(lines[at + k].slice(1), lines[from + k].slice(1));
        drawn[at + k] = ['-', ...left];
        drawn[from + k] = ['+', ...right];
      }
    }
    drawn.forEach((parts, index) => {
      const [sign] = lines[index];
      made.append(element('div', { class: sign === '-' ? 'minus' : sign === '+' ? 'plus' : undefined }, ...parts));
    });
    return made;
  }

  /** A part of the tree whose content is drawn when it is opened. */
  function branch(summary, fill) {
    const made = element('details', {}, element('summary', {}, ...summary));
    made.addEventListener('toggle', () => {
      if (made.open && made.childElementCount === 1) fill(made);
    });
    return made;
  }

  const badge = (kind, text = kind) => element('span', { class: `badge ${kind}` }, text);

  function object([index, title, loss]) {
    const group = plan.groups[index];
    return branch([badge(group.change), title], (made) => {
      const cause = link(group.url, group.cause);
      const body = element('div', { class: 'body' });
      if (group.cause !== '') body.append(element('p', {}, 'Cause: ', cause ?? group.cause));
      if (group.fate !== undefined) body.append(element('p', {}, `In the cluster: ${group.fate}`));
      if (loss !== null) body.append(element('p', {}, `Lost with it: ${loss}`));
      if (group.first !== undefined && group.first !== title) {
        body.append(element('p', { class: 'soft' }, `This is the change of ${group.first}; the cause is the same.`));
      }
      body.append(...group.hunks.map(hunk));
      made.append(body);
    });
  }

  const counts = (changes) =>
    KINDS.flatMap((kind) => {
      const count = changes.filter(([index]) => plan.groups[index].change === kind).length;
      return count === 0 ? [] : [badge(kind, `${count} ${kind}`)];
    });

  function application({ title, url, event }, changes) {
    const what = event === undefined ? '' : event === 'removed' ? ' (deleted)' : ' (new)';
    return branch([`${title}${what} `, ...counts(changes)], (made) => {
      const place = link(url, 'The file that declares it');
      if (place) made.append(element('p', { class: 'body' }, place));
      paged(made, changes, object);
    });
  }

  const textOf = plan.groups.map(({ cause, hunks }) =>
    [cause, ...hunks.flatMap(({ title, lines }) => [title, ...lines])].join('\n').toLowerCase(),
  );

  function changes() {
    const query = element('input', { type: 'search', id: 'query', autocomplete: 'off' });
    const boxes = [...KINDS, 'dangers'].map((name) => [
      name,
      element('input', { type: 'checkbox', id: `only-${name}` }),
    ]);
    for (const [name, box] of boxes) box.checked = name !== 'dangers';
    const labels = boxes.map(([name, box]) =>
      element('label', {}, box, name === 'dangers' ? 'only with dangers' : name),
    );
    const legend = element('legend', { class: 'soft' }, 'Show');
    const form = element(
      'form',
      { role: 'search' },
      element('label', {}, 'Search', query),
      element('fieldset', {}, legend, ...labels),
    );
    form.addEventListener('submit', (event) => event.preventDefault());
    const status = element('p', { role: 'status', class: 'soft' });
    const tree = element('div');
    section('changes', 'Changes', form, status, tree);
    const draw = () => {
      const words = query.value.trim().toLowerCase();
      const on = new Set(boxes.filter(([, box]) => box.checked).map(([name]) => name));
      const groups = new Set(
        plan.groups.flatMap((_, index) => (words === '' || textOf[index].includes(words) ? [index] : [])),
      );
      const rows = plan.applications.flatMap((one) => {
        const isNamed = one.title.toLowerCase().includes(words);
        const fits = ([index, title, , isDangerous]) =>
          on.has(plan.groups[index].change) &&
          (!on.has('dangers') || isDangerous) &&
          (isNamed || groups.has(index) || title.toLowerCase().includes(words));
        const found = one.changes.filter(fits);
        return found.length === 0 ? [] : [[one, found]];
      });
      const objects = rows.reduce((sum, [, found]) => sum + found.length, 0);
      const many = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
      status.textContent = `${many(objects, 'object')} in ${many(rows.length, 'application')}`;
      tree.replaceChildren();
      paged(tree, rows, ([one, found]) => application(one, found));
    };
    let wait;
    query.addEventListener('input', () => {
      clearTimeout(wait);
      wait = setTimeout(draw, 120);
    });
    for (const [, box] of boxes) box.addEventListener('change', draw);
    draw();
  }

  main.replaceChildren();
  document.getElementById('summary').textContent = plan.summary;
  notes('errors', 'Errors', plan.errors, (text) => element('p', { class: 'note error' }, text));
  notes('dangers', 'Dangers', plan.dangers, danger, countOf(plan.dangers));
  images(plan.images);
  if (plan.applications.length > 0) changes();
  notes('left', 'Not compared', plan.foreign, (text) => element('p', { class: 'note' }, text));
})();
