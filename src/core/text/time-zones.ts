/** The zones of the tz database without a folder, besides UTC. */
export const ZONE_WORDS: ReadonlySet<string> = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran ' +
    'Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK ' +
    'Singapore Turkey UCT Universal W-SU WET Zulu'
  ).split(' '),
);
