// Browsers load neither modules nor workers from file: URLs, so only this script runs there.
if (location.protocol === 'file:') {
  document.getElementById('start').textContent =
    'Browsers do not load the parts of this page from a file. Serve its folder (render-rgd playground, or python3 -m http.server) and open it by http.';
}
