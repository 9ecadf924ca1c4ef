// Writes a plan as a comment of the pull request, or updates the comment that an earlier run wrote. For GitHub, Gitea
// and GitLab; it needs no other file: node comment.mjs PLAN
import { readFileSync } from 'node:fs';

const { PLAN = process.argv[2], NAME = '', TOKEN, COMMENT = 'true' } = process.env;
const [, ...rest] = readFileSync(PLAN, 'utf8').split('\n');
const name = NAME.replace(/[^\w./]+/g, '-').replace(/--+/g, '-');
/** The first line. The name keeps the comments of several plans of one pull request apart. */
const marker = `<!-- render-rgd plan${name === '' ? '' : ` ${name}`} -->`;
const body = [marker, ...rest].join('\n');
const isUnchanged = rest[0] === '<!-- nothing changes -->';
const isGitLab = process.env.CI_API_V4_URL !== undefined;
const forge = isGitLab ? gitlab() : github();

try {
  if (forge.comments === undefined) say('notice', 'There is no comment, because this is not a pull request.');
  else if (isGitLab && !TOKEN) say('warning', 'There is no comment, because the variable TOKEN is not set.');
  else await comment();
} catch (error) {
  // The token of a fork's pull request is read-only.
  if (![401, 403].includes(error.status)) throw error;
  say('warning', `The token may not write a comment (${error.message}).`);
}

/** GitHub and Gitea show a line with a level beside the job; GitLab shows the log alone. */
function say(level, text) {
  const place = isGitLab ? 'The plan is in plan.md.' : 'The plan is in the summary of the job.';
  const whole = level === 'warning' ? `${text} ${place}` : text;
  console.log(isGitLab ? `${level}: ${whole}` : `::${level}::${whole}`);
}

/** Gitea has the API of GitHub. */
function github() {
  const { AUTHOR, GITHUB_API_URL, GITHUB_REPOSITORY, GITHUB_EVENT_PATH } = process.env;
  const number = JSON.parse(readFileSync(GITHUB_EVENT_PATH, 'utf8')).pull_request?.number;
  const issues = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}/issues`;
  const accept = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' };
  return {
    headers: { authorization: `Bearer ${TOKEN}`, ...accept },
    comments: number && `${issues}/${number}/comments`,
    update: (id) => ['PATCH', `${issues}/comments/${id}`],
    isOwn: ({ user }) => user?.login === AUTHOR,
  };
}

/** The merge request of a fork belongs to another project than the job. */
function gitlab() {
  const { CI_API_V4_URL, CI_PROJECT_ID, CI_MERGE_REQUEST_PROJECT_ID, CI_MERGE_REQUEST_IID } = process.env;
  const project = CI_MERGE_REQUEST_PROJECT_ID || CI_PROJECT_ID;
  const notes = `${CI_API_V4_URL}/projects/${project}/merge_requests/${CI_MERGE_REQUEST_IID}/notes`;
  return {
    headers: { 'private-token': TOKEN },
    comments: CI_MERGE_REQUEST_IID && notes,
    user: `${CI_API_V4_URL}/user`,
    update: (id) => ['PUT', `${notes}/${id}`],
    isOwn: ({ author }, user) => author?.id === user.id,
  };
}

async function comment() {
  const earlier = await findEarlier();
  if (earlier === undefined && isUnchanged && COMMENT === 'changes') return console.log('Nothing changes.');
  const [method, url] = earlier === undefined ? ['POST', forge.comments] : forge.update(earlier.id);
  const written = await request(method, url, { body });
  console.log(`${earlier === undefined ? 'Wrote' : 'Updated'} ${written.html_url ?? `comment ${written.id}`}`);
}

/** Returns the comment with the marker on its first line; only one of the author counts. */
async function findEarlier() {
  const user = forge.user && (await request('GET', forge.user));
  for (let page = 1, last; ; page++) {
    const found = await request('GET', `${forge.comments}?per_page=100&page=${page}`);
    const own = found.find((one) => forge.isOwn(one, user) && one.body?.split(/\r?\n/)[0] === marker);
    // Gitea has one page, whatever its number.
    if (own !== undefined || found.length < 100 || found[0].id === last) return own;
    last = found[0].id;
  }
}

async function request(method, url, content) {
  const answer = await fetch(url, {
    method,
    headers: { ...forge.headers, ...(content && { 'content-type': 'application/json' }) },
    ...(content && { body: JSON.stringify(content) }),
  });
  if (answer.ok) return answer.json();
  throw Object.assign(new Error(`${method} ${url}: ${answer.status}`), { status: answer.status });
}
