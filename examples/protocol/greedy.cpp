// The bot greedy as a program: plays the card with the highest expected points.
//
// It needs nothing but a compiler for C++17:
//   g++ -std=c++17 -O2 -ffp-contract=off greedy.cpp -o greedy
//   mindup arena rank process:./greedy random
// With -ffp-contract=off, sums are the same on all processors, and so is the choice between cards
// of equal points.

#include <algorithm>
#include <cctype>
#include <iostream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

// A value in JSON. Numbers are doubles; true, false and null are 0.
struct Json {
    double number = 0;
    std::string text;
    std::vector<Json> items;
    std::map<std::string, Json> fields;

    const Json& operator[](const char* name) const { return fields.at(name); }
    int integer() const { return static_cast<int>(number); }
    std::vector<int> integers() const {
        std::vector<int> found;
        for (const Json& item : items) found.push_back(item.integer());
        return found;
    }
};

class JsonReader {
public:
    explicit JsonReader(const std::string& line) : text(line) {}

    Json value() {
        Json read;
        const char first = peek();
        if (first == '{') {
            each_until('}', [&] {
                const std::string name = string();
                take();  // the colon
                read.fields[name] = value();
            });
        } else if (first == '[') {
            each_until(']', [&] { read.items.push_back(value()); });
        } else if (first == '"') {
            read.text = string();
        } else if (std::isalpha(static_cast<unsigned char>(first))) {
            while (std::isalpha(static_cast<unsigned char>(text.at(at)))) ++at;
        } else {
            std::size_t length = 0;
            read.number = std::stod(text.substr(at, 32), &length);
            at += length;
        }
        return read;
    }

private:
    const std::string& text;
    std::size_t at = 0;

    char peek() {
        while (std::isspace(static_cast<unsigned char>(text.at(at)))) ++at;
        return text.at(at);
    }
    char take() {
        peek();
        return text.at(at++);
    }
    // Reads the parts of a list or an object, which commas separate.
    template <class Part>
    void each_until(char end, Part part) {
        take();
        if (peek() == end) {
            take();
            return;
        }
        do part();
        while (take() == ',');
    }
    // Leaves out backslashes: the words of the protocol have none.
    std::string string() {
        std::string read;
        take();
        for (; text.at(at) != '"'; ++at) {
            if (text.at(at) == '\\') ++at;
            read += text.at(at);
        }
        ++at;
        return read;
    }
};

struct Card {
    int colour;  // an index into the colours of the game
    double points;
};

using Deck = std::vector<Card>;  // the card with the number n is at n - 1

double count_below(const std::vector<int>& cards, int card) {
    return std::count_if(cards.begin(), cards.end(), [=](int other) { return other < card; });
}

// How likely an opponent, who plays any card of the hand, plays one lower than the card.
double lower_probability(int card, const std::vector<int>& unseen, const std::vector<int>& known,
                         double unknown) {
    const double hidden_lower =
        count_below(unseen, card) * (1 / std::max<double>(unseen.size(), 1));
    return (count_below(known, card) + unknown * hidden_lower) /
           std::max<double>(known.size() + unknown, 1);
}

// How likely the card takes each prize: the number of lower cards decides.
std::vector<double> prize_probabilities(int card, const std::vector<int>& unseen,
                                        const Json& seat) {
    std::vector<double> places(seat["row"].items.size(), 0.0);
    places[0] = 1;
    for (std::size_t player = 1; player < seat["known"].items.size(); ++player) {
        const double lower =
            lower_probability(card, unseen, seat["known"].items[player].integers(),
                              seat["unknown"].items[player].number);
        for (std::size_t place = places.size() - 1; place > 0; --place)
            places[place] += (places[place - 1] - places[place]) * lower;
        places[0] *= 1 - lower;
    }
    return places;
}

// The score card above the column that the prize joins or opens, and the bonus.
double prize_value(int prize, const Deck& deck, const Json& seat) {
    const std::vector<int> columns = seat["columns"].items[0].integers();  // by colour, from 1
    const int open = static_cast<int>(columns.size()) -
                     static_cast<int>(std::count(columns.begin(), columns.end(), 0));
    const Card& card = deck[prize - 1];
    const int column = columns[card.colour] ? columns[card.colour] : open + 1;
    return seat["score_cards"].items[column - 1].number + card.points;
}

// The card of the hand with the highest expected points, the lowest of equal ones.
int choose(const Json& seat, const Deck& deck) {
    std::set<int> seen;
    const auto see = [&](const Json& cards) {
        for (const int card : cards.integers()) seen.insert(card);
    };
    see(seat["hand"]);
    see(seat["row"]);
    for (const Json& tableau : seat["tableaux"].items) see(tableau);
    for (const Json& known : seat["known"].items) see(known);
    std::vector<int> unseen;
    for (int card = 1; card <= static_cast<int>(deck.size()); ++card)
        if (!seen.count(card)) unseen.push_back(card);

    std::vector<double> values;
    for (const int prize : seat["row"].integers())
        values.push_back(prize_value(prize, deck, seat));
    int best = 0;
    double most = -std::numeric_limits<double>::infinity();
    for (const int card : seat["hand"].integers()) {
        const std::vector<double> places = prize_probabilities(card, unseen, seat);
        double points = 0;
        for (std::size_t place = 0; place < values.size(); ++place)
            points += places[place] * values[place];
        if (points > most) {
            best = card;
            most = points;
        }
    }
    return best;
}

Deck read_deck(const Json& hello) {
    std::map<std::string, int> colours;
    for (const Json& colour : hello["colours"].items)
        colours.emplace(colour.text, static_cast<int>(colours.size()));
    Deck deck;
    for (const Json& card : hello["deck"].items)
        deck.push_back({colours.at(card["colour"].text), card["points"].number});
    return deck;
}

int main() {
    Deck deck;
    for (std::string line; std::getline(std::cin, line);) {
        const Json message = JsonReader(line).value();
        if (message["type"].text == "hello") {
            deck = read_deck(message);
            std::cout << R"({"type":"ready","protocol":1,"name":"greedy in C++"})" << std::endl;
            continue;
        }
        std::cout << R"({"type":"cards","id":)" << message["id"].integer() << R"(,"cards":[)";
        const char* comma = "";
        for (const Json& seat : message["seats"].items) {
            std::cout << comma << choose(seat, deck);
            comma = ",";
        }
        std::cout << "]}" << std::endl;
    }
}
