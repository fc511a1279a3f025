import type { ProviderTexts } from "../contract.ts";

/** What the recipe says, in other languages. */
export const recipeTexts = {
  de: {
    "Where do I find the API key?": "Wo finde ich den API-Schlüssel?",
    "Sign in to Sage HR as an administrator. Best is one for this alone: the key ends when its user is no administrator any more.":
      "Melden Sie sich bei Sage HR mit Administratorrechten an. Am besten ist ein Zugang nur dafür: Der Schlüssel endet, wenn sein Benutzer diese Rechte verliert.",
    "Click your name at the top right, and choose “Settings”.":
      "Klicken Sie oben rechts auf Ihren Namen und wählen Sie „Settings“.",
    Settings: "Settings",
    "Open “Integrations”, then “API”.": "Öffnen Sie „Integrations“ und dann „API“.",
    Integrations: "Integrations",
    "Choose “Enable API access” if it is off. Do not switch it off and on again: that makes new keys for everybody, and what uses the old ones stops.":
      "Wählen Sie „Enable API access“, falls es ausgeschaltet ist. Schalten Sie es nicht aus und wieder ein: Dabei entstehen neue Schlüssel für alle, und was die alten verwendet, hört auf.",
    "Enable API access": "Enable API access",
    API: "API",
    "Copy the key and paste it here.": "Kopieren Sie den Schlüssel und fügen Sie ihn hier ein.",
    "The key of an administrator can read and change everything in the account. Sage HR has none that may do less; only what you agree to here is read.":
      "Der Schlüssel einer Administration kann alles im Konto lesen und ändern. Einen mit weniger Rechten gibt es in Sage HR nicht; gelesen wird nur, womit Sie hier einverstanden sind.",
    "Open “API” in the same way and switch the access off. This ends the keys of everybody in the account.":
      "Öffnen Sie „API“ auf demselben Weg und schalten Sie den Zugriff aus. Damit enden die Schlüssel aller im Konto.",
    "The key ends, too, when its user is no administrator any more.":
      "Der Schlüssel endet auch, wenn sein Benutzer die Administratorrechte verliert.",
  },
  es: {
    "Where do I find the API key?": "¿Dónde encuentro la clave API?",
    "Sign in to Sage HR as an administrator. Best is one for this alone: the key ends when its user is no administrator any more.":
      "Inicie sesión en Sage HR como administrador. Lo mejor es un usuario solo para esto: la clave deja de valer cuando su usuario ya no es administrador.",
    "Click your name at the top right, and choose “Settings”.":
      "Haga clic en su nombre, arriba a la derecha, y elija «Settings».",
    Settings: "Settings",
    "Open “Integrations”, then “API”.": "Abra «Integrations» y después «API».",
    Integrations: "Integrations",
    "Choose “Enable API access” if it is off. Do not switch it off and on again: that makes new keys for everybody, and what uses the old ones stops.":
      "Elija «Enable API access» si está desactivado. No lo desactive y vuelva a activarlo: se crearían claves nuevas para todos, y lo que usa las anteriores dejaría de funcionar.",
    "Enable API access": "Enable API access",
    API: "API",
    "Copy the key and paste it here.": "Copie la clave y péguela aquí.",
    "The key of an administrator can read and change everything in the account. Sage HR has none that may do less; only what you agree to here is read.":
      "La clave de un administrador puede leer y cambiar todo en la cuenta. Sage HR no tiene claves con menos permisos; solo se lee lo que usted acepta aquí.",
    "Open “API” in the same way and switch the access off. This ends the keys of everybody in the account.":
      "Abra «API» del mismo modo y desactive el acceso. Con ello dejan de valer las claves de todos en la cuenta.",
    "The key ends, too, when its user is no administrator any more.":
      "La clave también deja de valer cuando su usuario ya no es administrador.",
  },
  fr: {
    "Where do I find the API key?": "Où trouver la clé API ?",
    "Sign in to Sage HR as an administrator. Best is one for this alone: the key ends when its user is no administrator any more.":
      "Connectez-vous à Sage HR en tant qu’administrateur. Le mieux est un utilisateur réservé à cet usage : la clé n’est plus valable quand son utilisateur n’est plus administrateur.",
    "Click your name at the top right, and choose “Settings”.":
      "Cliquez sur votre nom en haut à droite et choisissez « Settings ».",
    Settings: "Settings",
    "Open “Integrations”, then “API”.": "Ouvrez « Integrations », puis « API ».",
    Integrations: "Integrations",
    "Choose “Enable API access” if it is off. Do not switch it off and on again: that makes new keys for everybody, and what uses the old ones stops.":
      "Choisissez « Enable API access » si l’accès est désactivé. Ne le désactivez pas pour le réactiver : de nouvelles clés seraient créées pour tous, et ce qui utilise les anciennes s’arrêterait.",
    "Enable API access": "Enable API access",
    API: "API",
    "Copy the key and paste it here.": "Copiez la clé et collez-la ici.",
    "The key of an administrator can read and change everything in the account. Sage HR has none that may do less; only what you agree to here is read.":
      "La clé d’un administrateur peut tout lire et tout modifier dans le compte. Sage HR n’en propose pas de plus limitée ; seul ce que vous acceptez ici est lu.",
    "Open “API” in the same way and switch the access off. This ends the keys of everybody in the account.":
      "Ouvrez « API » de la même manière et désactivez l’accès. Les clés de tous les utilisateurs du compte ne sont alors plus valables.",
    "The key ends, too, when its user is no administrator any more.":
      "La clé cesse aussi d’être valable quand son utilisateur n’est plus administrateur.",
  },
} satisfies ProviderTexts;
