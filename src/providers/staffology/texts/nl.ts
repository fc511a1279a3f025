export const nl = {
  "Make one in the account settings of Staffology. It can do what its user can, so use a read-only user.":
    "Maak de sleutel in de accountinstellingen van Staffology. De sleutel kan alles wat de gebruiker ervan kan: kies een gebruiker met alleen leesrechten.",
  "This key reaches no employer in Staffology. Use the key of a user who may see the employer.":
    "Deze sleutel geeft in Staffology tot geen enkele werkgever toegang. Gebruik de sleutel van een gebruiker die de werkgever mag zien.",
  "This key does not reach the employer that was connected before. Use the key of a user who may see it.":
    "Deze sleutel geeft geen toegang tot de werkgever die eerder is gekoppeld. Gebruik de sleutel van een gebruiker die de werkgever mag zien.",
  "Which employer do you want to connect?": "Welke werkgever wilt u koppelen?",
};
